"""Routes for spectra that decay: indices as fractions, pi as a ball."""

from flint import arb, fmpq

from nystheory.exact.routes import Routes

Routes("Decay").enter("j", lambda c: [fmpq(k + 1) for k in range(len(c.chosen("t")))])
Routes("PowerDecay").enter("pi", lambda c: arb.pi())
