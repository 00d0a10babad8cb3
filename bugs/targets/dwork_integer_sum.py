"""dwork 0.0.13: noise of an integer sum is a multiple of the bound, so the rest is released."""

import pandas as pd
from dwork.dataschema import DataSchema
from dwork.dataset.pandas import PandasDataset
from dwork.language.types import Integer


class Schema(DataSchema):
    """One column of integers between 0 and 100."""

    Weight = Integer(min=0, max=100)


def release(data, _):
    """Answer the noisy sum."""
    frame = pd.DataFrame({"Weight": data})
    return int(PandasDataset(Schema, frame)["Weight"].sum().dp(1.0))


def event(output):
    """Say whether the sum ends in 07."""
    return output % 100 == 7
