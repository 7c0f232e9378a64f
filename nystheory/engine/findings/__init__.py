"""What experiments share: matrices, sweeps, paired samples."""
