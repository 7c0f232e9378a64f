"""The results that the chapter *Fixed sampling* states, in its order."""

from nystheory.theorems.fixed_sampling import leave_one_out, ridge_leverage

THEOREMS = (
    ridge_leverage.RIDGE_LEVERAGE,
    leave_one_out.LEAVE_ONE_OUT,
)
