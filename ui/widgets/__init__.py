"""Parts of pages that Streamlit does not have: a grid of squares to tap, a photo to mark corners on."""
