"""FindQuantile by inverse sensitivity (PDP, Algorithm 2), alone and after diffusion."""
