"""Epsilons that released accountants claim: recorded, so that tables need none of them.

Written by `python -m benchmarks.accountants --record` on 2026-11-26; each is what the accountant of
this version returned for the sum, as its float is written.
"""

from __future__ import annotations

__all__ = ["CLAIMED", "DATE"]

DATE = "2026-11-26"
"""On which they were asked."""

CLAIMED: dict[tuple[str, int, str, str], dict[str, str]] = {
    ("gaussian sigma=5", 1, "add-remove", "1e-5"): {
        "dp-accounting 0.6.0 RdpAccountant": "0.794522032537103",
        "dp-accounting 0.6.0 PLDAccountant": "0.7255217677404247",
        "autodp 0.2.3.1 GaussianMechanism": "0.7255217508577947",
        "prv-accountant 0.2.0 PRVAccountant": "0.7355866135927221",
        "opendp 0.16.0 make_composition": "0.7943147742740685",
    },
    ("gaussian sigma=5", 100, "add-remove", "1e-5"): {
        "dp-accounting 0.6.0 RdpAccountant": "10.725509696418232",
        "dp-accounting 0.6.0 PLDAccountant": "9.99725615024243",
        "autodp 0.2.3.1 Composition": "10.724824112939173",
        "prv-accountant 0.2.0 PRVAccountant": "10.007714754059117",
        "opendp 0.16.0 make_composition": "10.72482411293918",
    },
    ("gaussian sigma=5", 1, "swap", "1e-5"): {
        "dp-accounting 0.6.0 RdpAccountant": "0.794522032537103",
        "dp-accounting 0.6.0 PLDAccountant": "1.5549816995852543",
        "autodp 0.2.3.1 GaussianMechanism": "1.5549816915322026",
        "prv-accountant 0.2.0 PRVAccountant": "1.565083054736678",
        "opendp 0.16.0 make_composition": "1.6927337508050673",
    },
    ("gaussian sigma=5", 100, "swap", "1e-5"): {
        "dp-accounting 0.6.0 RdpAccountant": "10.725509696418232",
        "dp-accounting 0.6.0 PLDAccountant": "24.381610883857388",
        "autodp 0.2.3.1 Composition": "25.919351682466484",
        "prv-accountant 0.2.0 PRVAccountant": "24.39251436073508",
        "opendp 0.16.0 make_composition": "25.91935168246651",
    },
    ("laplace scale=10", 100, "add-remove", "1e-5"): {
        "dp-accounting 0.6.0 RdpAccountant": "4.532685704039354",
        "dp-accounting 0.6.0 PLDAccountant": "4.220347347219601",
        "autodp 0.2.3.1 Composition": "4.532682774277016",
        "prv-accountant 0.2.0 PRVAccountant": "4.2268967464082685",
        "opendp 0.16.0 make_composition": "10.000000000000053",
    },
    ("laplace scale=10", 1, "swap", "1e-5"): {
        "dp-accounting 0.6.0 RdpAccountant": "0.10282432387055945",
        "autodp 0.2.3.1 LaplaceMechanism": "0.1999799999999983",
        "prv-accountant 0.2.0 PRVAccountant": "0.21092812657881913",
        "opendp 0.16.0 make_composition": "0.2",
    },
    ("laplace scale=10", 100, "swap", "1e-5"): {
        "dp-accounting 0.6.0 RdpAccountant": "4.532685704039354",
        "autodp 0.2.3.1 Composition": "10.00032910155941",
        "prv-accountant 0.2.0 PRVAccountant": "9.39682339937031",
        "opendp 0.16.0 make_composition": "20.000000000000107",
    },
    ("randomized-response keep=0.5 categories=2", 10, "swap", "1e-5"): {
        "dp-accounting 0.6.0 RdpAccountant": "10.986812154887478",
        "dp-accounting 0.6.0 PLDAccountant": "1.0986866665777768",
        "autodp 0.2.3.1 Composition": "10.985945293646047",
    },
    ("randomized-response keep=0.5 categories=2", 100, "swap", "1e-5"): {
        "dp-accounting 0.6.0 RdpAccountant": "93.44437392976575",
        "dp-accounting 0.6.0 PLDAccountant": "1.0986866665777768",
        "autodp 0.2.3.1 Composition": "93.42737226863034",
    },
    ("poisson-gaussian q=0.01 sigma=1", 1, "add-remove", "1e-5"): {
        "dp-accounting 0.6.0 RdpAccountant": "0.9555491480288791",
        "dp-accounting 0.6.0 PLDAccountant": "0.19945047347144237",
        "autodp 0.2.3.1 Mechanism": "0.19945044779591473",
        "prv-accountant 0.2.0 PRVAccountant": "0.20955646402754086",
    },
    ("poisson-gaussian q=0.01 sigma=1", 10, "add-remove", "1e-5"): {
        "dp-accounting 0.6.0 RdpAccountant": "1.0353059381436596",
        "dp-accounting 0.6.0 PLDAccountant": "0.3799023494868676",
        "autodp 0.2.3.1 Composition": "1.064496211835463",
        "prv-accountant 0.2.0 PRVAccountant": "0.3899903758770874",
    },
    ("poisson-gaussian q=0.01 sigma=1", 100, "add-remove", "1e-5"): {
        "dp-accounting 0.6.0 RdpAccountant": "1.2141452944480204",
        "dp-accounting 0.6.0 PLDAccountant": "0.7180367094172235",
        "autodp 0.2.3.1 Composition": "1.2248457879696502",
        "prv-accountant 0.2.0 PRVAccountant": "0.7281339364739033",
    },
    ("poisson-gaussian q=0.01 sigma=1", 1000, "add-remove", "1e-5"): {
        "dp-accounting 0.6.0 RdpAccountant": "2.101366525420273",
        "dp-accounting 0.6.0 PLDAccountant": "1.8282436455855091",
        "autodp 0.2.3.1 Composition": "2.107753079436549",
        "prv-accountant 0.2.0 PRVAccountant": "1.8383716712398843",
    },
    ("poisson-gaussian q=0.01 sigma=1", 10000, "add-remove", "1e-5"): {
        "dp-accounting 0.6.0 RdpAccountant": "6.712756664482653",
        "dp-accounting 0.6.0 PLDAccountant": "6.187744975808358",
    },
    ("poisson-gaussian q=0.01 sigma=1", 10000, "add-remove", "1e-9"): {
        "dp-accounting 0.6.0 RdpAccountant": "9.235606570083323",
        "dp-accounting 0.6.0 PLDAccountant": "8.765354603461917",
    },
    ("poisson-gaussian q=0.01 sigma=1", 10000, "add-remove", "1e-10"): {
        "dp-accounting 0.6.0 RdpAccountant": "9.77777807364797",
        "dp-accounting 0.6.0 PLDAccountant": "9.315167006289803",
    },
    ("poisson-gaussian q=0.01 sigma=1", 10000, "add-remove", "1e-11"): {
        "dp-accounting 0.6.0 RdpAccountant": "10.296032100654118",
        "dp-accounting 0.6.0 PLDAccountant": "9.834385814459793",
    },
    ("poisson-gaussian q=0.01 sigma=1", 10000, "add-remove", "1e-12"): {
        "dp-accounting 0.6.0 RdpAccountant": "10.794247454394974",
        "dp-accounting 0.6.0 PLDAccountant": "10.298822461444551",
    },
    ("poisson-gaussian q=0.01 sigma=1", 10000, "add-remove", "1e-14"): {
        "dp-accounting 0.6.0 RdpAccountant": "11.74154629912557",
        "dp-accounting 0.6.0 PLDAccountant": "12.932334110099962",
    },
    ("poisson-gaussian q=0.01 sigma=1", 3000, "add-remove", "1e-9"): {
        "dp-accounting 0.6.0 RdpAccountant": "5.101884204768743",
        "dp-accounting 0.6.0 PLDAccountant": "4.769948745336754",
    },
    ("poisson-gaussian q=0.01 sigma=1", 3000, "add-remove", "1e-10"): {
        "dp-accounting 0.6.0 RdpAccountant": "5.462859028987674",
        "dp-accounting 0.6.0 PLDAccountant": "5.119259977724966",
    },
    ("poisson-gaussian q=0.01 sigma=1", 3000, "add-remove", "1e-11"): {
        "dp-accounting 0.6.0 RdpAccountant": "5.815584842370189",
        "dp-accounting 0.6.0 PLDAccountant": "5.458314815002718",
    },
    ("poisson-gaussian q=0.01 sigma=1", 3000, "add-remove", "1e-12"): {
        "dp-accounting 0.6.0 RdpAccountant": "6.162685165166417",
        "dp-accounting 0.6.0 PLDAccountant": "5.785989540430487",
    },
    ("poisson-gaussian q=0.001 sigma=0.8", 10000, "add-remove", "1e-6"): {
        "dp-accounting 0.6.0 RdpAccountant": "1.7036252861577152",
        "dp-accounting 0.6.0 PLDAccountant": "0.94732386397318",
    },
    ("poisson-gaussian q=0.001 sigma=0.8", 10000, "add-remove", "1e-10"): {
        "dp-accounting 0.6.0 RdpAccountant": "2.972049477906208",
        "dp-accounting 0.6.0 PLDAccountant": "2.1927924686126437",
    },
    ("laplace scale=10", 1000, "add-remove", "1e-5"): {
        "dp-accounting 0.6.0 RdpAccountant": "18.575675469781455",
        "dp-accounting 0.6.0 PLDAccountant": "17.42365208565148",
    },
    ("laplace scale=10", 1000, "add-remove", "1e-10"): {
        "dp-accounting 0.6.0 RdpAccountant": "24.87231554302322",
        "dp-accounting 0.6.0 PLDAccountant": "23.94474411934726",
    },
}
"""Mechanisms, how often, relation and delta; what each accountant claims."""
