from openai_shaped import EMBEDDINGS, record_chats
from record import SAID, record
from zai import ZhipuAiClient

client = ZhipuAiClient(api_key='the-key', max_retries=0)
record_chats(client.chat.completions.create)
record('embedding', EMBEDDINGS, lambda model: client.embeddings.create(model=model, input=SAID['texts']))
