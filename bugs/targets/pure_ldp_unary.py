"""pure-ldp 1.1.0: the bit of the true value has two chances to be set."""

import importlib.util
import sys
import sysconfig
import types
from pathlib import Path

ROOT = Path(sysconfig.get_paths()["purelib"]) / "pure_ldp"


def load(name, *path):
    """Import a file of the package, which as a whole does not import in this release."""
    spec = importlib.util.spec_from_file_location(name, ROOT.joinpath(*path))
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


sys.modules["pure_ldp"] = types.ModuleType("pure_ldp")
core = sys.modules["pure_ldp.core"] = types.ModuleType("pure_ldp.core")
core.FreqOracleClient = load("client", "core", "_freq_oracle_client.py").FreqOracleClient
unary = load("unary", "frequency_oracles", "unary_encoding", "ue_client.py")
CLIENT = unary.UEClient(epsilon=1.0, d=2, index_mapper=lambda value: value)


def release(data, _):
    """Answer two bits."""
    return CLIENT.privatise(data)


def event(output):
    """Say whether the bits are those of the value 0."""
    return output[0] == 1 and output[1] == 0
