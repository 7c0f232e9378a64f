"""The Nyström method: approximations, bounds, and theorems that can be verified."""
