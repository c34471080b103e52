"""Prints the models of genai-prices as JSON with decimal texts: one object per model of the makers in MAKERS."""
import json
from genai_prices.data import providers

MAKERS = {'openai', 'anthropic', 'google', 'x-ai', 'mistral', 'deepseek', 'zai', 'moonshotai'}

def equals_of(match):
    kind = type(match).__name__
    if kind == 'ClauseEquals': return [match.equals]
    if kind == 'ClauseOr': return [name for part in match.or_ for name in equals_of(part)]
    return []

def text(value): return format(value.normalize(), 'f') if value is not None else None

def lines_of(prices):
    lines = {}
    for key in sorted(k for k in vars(prices) if not k.startswith('_')):
        value = getattr(prices, key)
        if value is None: continue
        if hasattr(value, 'tiers'):
            lines[key] = {'base': text(value.base), 'tiers': [{'start': t.start, 'price': text(t.price)} for t in value.tiers]}
        else:
            lines[key] = text(value)
    return lines

def constraint_of(c):
    if c is None: return {}
    if hasattr(c, 'start_date'): return {'from': c.start_date.isoformat()}
    return {'hours': [c.start_time.isoformat(), c.end_time.isoformat()]}

def prices_of(model):
    prices = model.prices
    if not isinstance(prices, list): return [{'lines': lines_of(prices)}]
    return [{**constraint_of(p.constraint), 'lines': lines_of(p.prices)} for p in prices]

out = []
for provider in providers:
    if provider.id not in MAKERS: continue
    for model in provider.models:
        out.append({
            'provider': provider.id, 'id': model.id, 'equals': sorted(set([model.id, *equals_of(model.match)])),
            'prices': prices_of(model),
            'variants': [{'when': v.when, **constraint_of(v.constraint), 'lines': lines_of(v.prices)} for v in (model.price_variants or [])],
        })
print(json.dumps(out, indent=1))
