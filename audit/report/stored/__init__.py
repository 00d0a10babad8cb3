"""Reports of stored results: what a report in JSON holds, read again and rendered in any form."""
