"""The chapter *Concentration without replacement*."""
