"""What classifiers of two classes share: scores, and labels by their signs."""

from __future__ import annotations

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from nystheory.learners._learner import Learner


class Classifier(ClassifierMixin, Learner):
    """Two classes: the second where the score is above zero, else the first."""

    def decision_function(self, X) -> np.ndarray:
        """The scores of new points.

        Parameters
        ----------
        X : array_like or CSR (m, d)
            Points; rows k(x, x_i), (m, n), where K is stored.

        Returns
        -------
        ndarray (m,)
            ``sum_i dual_coef_[i] k(x, x_i)``, or the same with the approximate kernel,
            as `predict_with` has it.

        Raises
        ------
        ValueError, TypeError
            If it was not fitted, or X is not finite or has other columns than in `fit`.

        Notes
        -----
        Asks for m n entries, and m l with the features of an approximation.

        Examples
        --------
        >>> from nystheory.learners import KernelSVC
        >>> machine = KernelSVC(kernel="linear").fit([[1.0], [-1.0]], [1, 0])
        >>> machine.decision_function([[2.0]]).round(6).tolist()
        [2.0]
        """
        check_is_fitted(self)
        return self._combined(X, self.dual_coef_, self.coef_)

    def predict(self, X) -> np.ndarray:
        """The labels of new points.

        Parameters
        ----------
        X : array_like or CSR (m, d)
            As `decision_function`.

        Returns
        -------
        ndarray (m,)

        Raises
        ------
        ValueError, TypeError
            As `decision_function`.

        Notes
        -----
        Costs what `decision_function` costs.

        Examples
        --------
        >>> from nystheory.learners import KernelSVC
        >>> machine = KernelSVC(kernel="linear").fit([[1.0], [-1.0]], ["b", "a"])
        >>> machine.predict([[2.0], [-3.0]]).tolist()
        ['b', 'a']
        """
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
