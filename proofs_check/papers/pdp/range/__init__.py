"""The range stage: diffusion and its rates, the grid, the range."""
