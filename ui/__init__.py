"""The pages of the app and their drawings. Rules live in `engine`, photographs are read in `vision`."""
