import json

from openai_shaped import sse
from record import SAID, record
from tencentcloud.common import credential
from tencentcloud.hunyuan.v20230901 import hunyuan_client, models

client = hunyuan_client.HunyuanClient(credential.Credential('AKIDEXAMPLE', 'secret'), 'ap-guangzhou')
TOOL = SAID['tool']
CALL = SAID['call']
USAGE = {'PromptTokens': 9, 'CompletionTokens': 3, 'TotalTokens': 12}
MESSAGES = [{'Role': 'system', 'Content': SAID['system']}, {'Role': 'user', 'Content': SAID['prompt']}]
TOOLS = [
    {
        'Type': 'function',
        'Function': {
            'Name': TOOL['name'],
            'Description': TOOL['description'],
            'Parameters': json.dumps(TOOL['parameters'], separators=(',', ':')),
        },
    }
]
TOOL_CALL = {
    'Id': CALL['id'],
    'Type': 'function',
    'Function': {'Name': TOOL['name'], 'Arguments': json.dumps(CALL['arguments'], separators=(',', ':'))},
}
CHOICE = {'FinishReason': 'stop', 'Index': 0, 'Message': {'Role': 'assistant', 'Content': 'Sunny.'}}
TEXT = {'body': {'Response': {'RequestId': 'r', 'Id': 'c1', 'Created': 1, 'Usage': USAGE, 'Choices': [CHOICE]}}}
EVENT = {'Id': 'c1', 'Created': 1, 'Usage': USAGE, 'Choices': [{'FinishReason': 'stop', 'Delta': {'Role': 'assistant', 'Content': 'Sunny.'}}]}


def chat(model, **fields):
    request = models.ChatCompletionsRequest()
    request.from_json_string(json.dumps({'Model': model, **fields}))
    return client.ChatCompletions(request)


record(
    'plain',
    TEXT,
    lambda model: chat(model, Messages=MESSAGES, Stop=SAID['stop'], Temperature=SAID['temperature'], TopP=SAID['top_p']),
)
record('stream', sse([EVENT], ''), lambda model: chat(model, Messages=MESSAGES, Stream=True))
record('tools', TEXT, lambda model: chat(model, Messages=MESSAGES, Tools=TOOLS, ToolChoice='custom', CustomTool=TOOLS[0]))
record(
    'tool result',
    TEXT,
    lambda model: chat(
        model,
        Messages=[
            *MESSAGES,
            {'Role': 'assistant', 'Content': '', 'ToolCalls': [TOOL_CALL]},
            {'Role': 'tool', 'ToolCallId': CALL['id'], 'Content': CALL['result']},
        ],
        Tools=TOOLS,
    ),
)
record('thinking', TEXT, lambda model: chat(model, Messages=MESSAGES, EnableThinking=True))
PICTURE = {'Type': 'image_url', 'ImageUrl': {'Url': 'data:image/png;base64,' + SAID['picture']}}
record(
    'picture',
    TEXT,
    lambda model: chat(model, Messages=[{'Role': 'user', 'Contents': [{'Type': 'text', 'Text': SAID['prompt']}, PICTURE]}]),
)
