import os

os.environ['QIANFAN_BEARER_TOKEN'] = 'the-key'
os.environ['QIANFAN_DISABLE_EB_SDK'] = 'true'

import qianfan  # noqa: E402
from openai_shaped import record_chats  # noqa: E402

client = qianfan.ChatCompletion(version='2', bearer_token='the-key')
record_chats(client.do)
