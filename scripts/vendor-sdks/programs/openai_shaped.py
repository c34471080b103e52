"""The conversations and answers of OpenAI's chat format, which most vendors speak."""
import json

from record import SAID, record

USAGE = {'prompt_tokens': 9, 'completion_tokens': 3, 'total_tokens': 12}
CALL = SAID['call']
TOOL_CALL = {
    'id': CALL['id'],
    'type': 'function',
    'function': {'name': SAID['tool']['name'], 'arguments': json.dumps(CALL['arguments'], separators=(',', ':'))},
}
TOOLS = [{'type': 'function', 'function': SAID['tool']}]
MESSAGES = [{'role': 'system', 'content': SAID['system']}, {'role': 'user', 'content': SAID['prompt']}]
LIMIT = {'max_tokens': SAID['max_tokens']}
REQUESTS = {
    'plain': {'messages': MESSAGES, **LIMIT, 'temperature': SAID['temperature'], 'top_p': SAID['top_p'], 'stop': SAID['stop']},
    'stream': {'messages': MESSAGES, **LIMIT, 'stream': True},
    'tools': {'messages': MESSAGES, **LIMIT, 'tools': TOOLS, 'tool_choice': 'required'},
    'tool result': {
        'messages': [
            *MESSAGES,
            {'role': 'assistant', 'content': '', 'tool_calls': [TOOL_CALL]},
            {'role': 'tool', 'tool_call_id': CALL['id'], 'content': CALL['result']},
        ],
        **LIMIT,
        'tools': TOOLS,
    },
    'thinking': {'messages': MESSAGES, **LIMIT, 'reasoning_effort': SAID['thinking']['effort']},
    'picture': {
        'messages': [
            {
                'role': 'user',
                'content': [
                    {'type': 'text', 'text': SAID['prompt']},
                    {'type': 'image_url', 'image_url': {'url': 'data:image/png;base64,' + SAID['picture']}},
                ],
            }
        ],
        **LIMIT,
    },
    'schema': {'messages': MESSAGES, **LIMIT, 'response_format': {'type': 'json_schema', 'json_schema': SAID['schema']}},
}
EMBEDDINGS = {
    'body': {
        'object': 'list',
        'model': 'm',
        'data': [{'object': 'embedding', 'index': index, 'embedding': [0.5]} for index, _ in enumerate(SAID['texts'])],
        'usage': {'prompt_tokens': 4, 'total_tokens': 4, 'completion_tokens': 0},
    }
}


def whole(message, finish_reason='stop'):
    choice = {'index': 0, 'message': {'role': 'assistant', **message}, 'finish_reason': finish_reason}
    return {'body': {'id': 'c1', 'object': 'chat.completion', 'created': 1, 'model': 'm', 'choices': [choice], 'usage': USAGE}}


def chunk(delta, finish_reason=None):
    choice = {'index': 0, 'delta': delta, 'finish_reason': finish_reason}
    body = {'id': 'c1', 'object': 'chat.completion.chunk', 'created': 1, 'model': 'm', 'choices': [choice]}
    return body if finish_reason is None else {**body, 'usage': USAGE}


def sse(events, end='data: [DONE]\n\n'):
    return {'type': 'text/event-stream', 'body': ''.join(f'data: {json.dumps(event)}\n\n' for event in events) + end}


TEXT = whole({'content': 'Sunny.'})
ANSWERS = {
    'stream': sse([chunk({'role': 'assistant', 'content': 'Sun'}), chunk({'content': 'ny.'}), chunk({'content': ''}, 'stop')]),
    'tools': whole({'content': '', 'tool_calls': [TOOL_CALL]}, 'tool_calls'),
}


def record_chats(create, own=None):
    """`own` changes requests by name; None leaves one out."""
    for name, request in {**REQUESTS, **(own or {})}.items():
        if request is not None:
            record(name, ANSWERS.get(name, TEXT), lambda model, request=request: create(model=model, **request))
