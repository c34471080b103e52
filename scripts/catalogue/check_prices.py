"""Prices the usages of a JSON file by the calculators of litellm and genai-prices, into another: started by check.ts."""
import json, os, sys
from datetime import datetime, timezone
os.environ['LITELLM_LOCAL_MODEL_COST_MAP'] = 'True'
from litellm.cost_calculator import cost_per_token
from litellm.types.utils import CompletionTokensDetailsWrapper, PromptTokensDetailsWrapper, Usage
from genai_prices import Usage as GenaiUsage, calc_price

HEADS = {'openai': '', 'anthropic': ''}
TIERS = {'batch': 'batch', 'flex': 'flex', 'priority': 'priority'}

def by_litellm(case):
    u = case['usage']
    provider = case['litellm']
    usage = Usage(
        prompt_tokens=u['prompt'], completion_tokens=u['output'], total_tokens=u['prompt'] + u['output'],
        cache_read_input_tokens=u['cached'], cache_creation_input_tokens=u['written'],
        prompt_tokens_details=PromptTokensDetailsWrapper(
            cached_tokens=u['cached'], cache_creation_tokens=u['written'], audio_tokens=u['audio'], image_tokens=u['image'],
            text_tokens=u['prompt'] - u['cached'] - u['written'] - u['audio'] - u['image']),
        completion_tokens_details=CompletionTokensDetailsWrapper(reasoning_tokens=u['reasoning'], text_tokens=u['output'] - u['reasoning']),
    )
    model = f"{provider}/{case['model']}" if HEADS.get(provider, provider) else case['model']
    costs = cost_per_token(model=model, custom_llm_provider=provider, usage_object=usage, service_tier=TIERS.get(case['tier']))
    return sum(costs)

def by_genai(case):
    u = case['usage']
    counts = {'input_tokens': u['prompt'], 'output_tokens': u['output'], 'cache_read_tokens': u['cached'], 'cache_write_tokens': u['written'],
              'input_audio_tokens': u['audio'], 'input_image_tokens': u['image']}
    context = {'batch': {'processing': 'batch'}, 'flex': {'service_tier': 'flex'}, 'priority': {'service_tier': 'priority'}}.get(case['tier'])
    price = calc_price(GenaiUsage(**{name: count for name, count in counts.items() if count}), case['model'], provider_id=case['genai'],
                       genai_request_timestamp=datetime.now(timezone.utc), **({'price_context': context} if context else {}))
    return float(price.total_price)

def attempt(price, case):
    try: return price(case)
    except Exception: return None

cases = json.load(open(sys.argv[1]))
json.dump([{'litellm': attempt(by_litellm, case), 'genai': attempt(by_genai, case) if case.get('genai') else None} for case in cases], open(sys.argv[2], 'w'))
