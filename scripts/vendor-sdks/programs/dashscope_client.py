import dashscope
from openai_shaped import LIMIT, MESSAGES, record_chats
from record import SAID, record

client = dashscope.Client(api_key='the-key', region='cn-beijing', protocol='openai', max_retries=0)
# `reasoning_effort` is not among the method's arguments.
thinking = {'messages': MESSAGES, **LIMIT, 'enable_thinking': True, 'parameters': {'reasoning_effort': SAID['thinking']['effort']}}
record_chats(client.chat.completions.create, {'thinking': thinking})
vectors = {'output': {'embeddings': [{'text_index': 0, 'embedding': [0.5]}]}, 'usage': {'total_tokens': 4}, 'request_id': 'r'}
record('embedding', {'body': vectors}, lambda model: client.embeddings.create(model=model, input=SAID['texts']))
ranked = {'output': {'results': [{'index': 0, 'relevance_score': 0.9}]}, 'usage': {'total_tokens': 4}, 'request_id': 'r'}
record(
    'rerank',
    {'body': ranked},
    lambda model: client.rerank.create(model=model, query=SAID['query'], documents=SAID['texts'], top_n=1),
)
