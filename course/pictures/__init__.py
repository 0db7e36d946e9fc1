"""Pictures of what was recorded, as several lessons draw them."""
