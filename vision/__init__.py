"""From a photograph to the kingdoms on it; scenes to train and measure on."""
