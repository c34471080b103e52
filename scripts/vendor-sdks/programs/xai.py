import json
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import grpc
from google.protobuf.json_format import MessageToDict
from record import RECORDER, SAID, record
from xai_sdk import Client, chat
from xai_sdk.proto import chat_pb2

TOOL = SAID['tool']
CALL = SAID['call']


def forward(method, message, metadata):
    """The recorder reads HTTP only: the message goes there as JSON, under the path of the call."""
    headers = {name: value for name, value in metadata if name == 'authorization'}
    body = json.dumps(MessageToDict(message, preserving_proto_field_name=True)).encode()
    headers = {**headers, 'content-type': 'application/json', 'x-recorded-origin': 'https://api.x.ai'}
    urllib.request.urlopen(urllib.request.Request(RECORDER + method, body, headers, method='POST'))


class Handler(grpc.GenericRpcHandler):
    def service(self, details):
        def answer(request):
            forward(details.method, request, details.invocation_metadata)
            message = chat_pb2.CompletionMessage(content='Sunny.', role=chat_pb2.ROLE_ASSISTANT)
            return chat_pb2.CompletionOutput(index=0, message=message, finish_reason=0)

        def whole(request, _context):
            return chat_pb2.GetChatCompletionResponse(id='c1', model='m', outputs=[answer(request)])

        def stream(request, _context):
            answer(request)
            delta = chat_pb2.Delta(content='Sunny.', role=chat_pb2.ROLE_ASSISTANT)
            yield chat_pb2.GetChatCompletionChunk(id='c1', model='m', outputs=[chat_pb2.CompletionOutputChunk(index=0, delta=delta)])

        is_stream = details.method.endswith('Chunk')
        make = grpc.unary_stream_rpc_method_handler if is_stream else grpc.unary_unary_rpc_method_handler
        return make(
            stream if is_stream else whole,
            chat_pb2.GetCompletionsRequest.FromString,
            lambda message: message.SerializeToString(),
        )


server = grpc.server(ThreadPoolExecutor(2), handlers=[Handler()])
port = server.add_insecure_port('127.0.0.1:0')
server.start()
client = Client(api_key='the-key', api_host=f'127.0.0.1:{port}', use_insecure_channel=True)
MESSAGES = [chat.system(SAID['system']), chat.user(SAID['prompt'])]
TOOLS = [chat.tool(TOOL['name'], TOOL['description'], TOOL['parameters'])]
LIMIT = {'max_tokens': SAID['max_tokens']}
NONE = {'body': {}}


def ask(model, messages=MESSAGES, **fields):
    return client.chat.create(model, messages=messages, **LIMIT, **fields).sample()


def call_message():
    function = chat_pb2.FunctionCall(name=TOOL['name'], arguments=json.dumps(CALL['arguments'], separators=(',', ':')))
    return chat_pb2.Message(role=chat_pb2.ROLE_ASSISTANT, tool_calls=[chat_pb2.ToolCall(id=CALL['id'], function=function)])


record('plain', NONE, lambda model: ask(model, temperature=SAID['temperature'], top_p=SAID['top_p'], stop=SAID['stop']))
record('stream', NONE, lambda model: list(client.chat.create(model, messages=MESSAGES, **LIMIT).stream()))
record('tools', NONE, lambda model: ask(model, tools=TOOLS, tool_choice='required'))
record('tool result', NONE, lambda model: ask(model, [*MESSAGES, call_message(), chat.tool_result(CALL['result'], CALL['id'])], tools=TOOLS))
record('thinking', NONE, lambda model: ask(model, reasoning_effort=SAID['thinking']['effort']))
record('picture', NONE, lambda model: ask(model, [chat.user(SAID['prompt'], chat.image('data:image/png;base64,' + SAID['picture']))]))
server.stop(None)
