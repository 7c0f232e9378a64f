"""The chapter *Manifolds*."""
