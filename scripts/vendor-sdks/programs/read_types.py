"""Reads types of answers from pydantic models, as JSON Schema: `python read_types.py '{"names":{"chat":"module#Name"}}'`."""
import importlib
import json
import sys

from pydantic import TypeAdapter

def plain(schema):
    """Without texts and defaults."""
    if isinstance(schema, list):
        return [plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    fields = {name: {key: plain(part) for key, part in value.items()} if name == 'properties' else plain(value) for name, value in schema.items()}
    return {name: value for name, value in fields.items() if name == 'properties' or name not in ('title', 'description', 'default', 'examples')}


roots, defs = {}, {}
for key, name in json.loads(sys.argv[1])['names'].items():
    module, path = name.split('#')
    schema = TypeAdapter(getattr(importlib.import_module(module), path)).json_schema(mode='validation')
    defs.update(schema.pop('$defs', {}))
    roots[key] = schema
print(json.dumps(plain({'roots': roots, '$defs': {name: plain(value) for name, value in defs.items()}})))
