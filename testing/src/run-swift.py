"""Runs one server of OpenStack's Swift, whose settings are all in one folder: run-swift.py FOLDER proxy|account|container|object"""
import sys
from swift.common import utils

folder, kind = sys.argv[1:]
utils.set_swift_dir(folder)

from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.wsgi import run_wsgi  # noqa: E402

if kind == 'rings':
    ports = dict(line.split() for line in sys.stdin)
    for name, port in ports.items():
        builder = RingBuilder(1, 1, 0)
        builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'disk'})
        builder.rebalance()
        builder.get_ring().save(f'{folder}/{name}.ring.gz')
else:
    sys.exit(run_wsgi(f'{folder}/{kind}.conf', f'{kind}-server', verbose=True))  # the log goes to standard error
