"""One module for each page of the app; each has a `render()`."""
