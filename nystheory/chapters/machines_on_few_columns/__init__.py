"""The chapter *Support vector machines on few columns*."""
