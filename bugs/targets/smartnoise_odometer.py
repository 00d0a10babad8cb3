"""smartnoise-sql 1.0.10: delta of a composition is multiplied by one minus itself."""

from snsql import Privacy
from snsql.sql.odometer import Odometer


def release(_, __):
    """Answer the delta that is said of 100 releases with delta 0.01."""
    odometer = Odometer(Privacy(epsilon=1.0, delta=0.01))
    odometer.spend(100)
    return odometer.spent[1]
