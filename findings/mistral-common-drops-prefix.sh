#!/usr/bin/env bash
# mistral-common (PyPI) 1.13.1: ChatCompletionRequest.from_openai drops `prefix: true` of a last assistant message, the field that Mistral's
# API requires there, so the vendor's own validator then refuses a body that the API takes. The same body given to the constructor passes.
# Seen: from_openai leaves prefix False and the validator raises InvalidMessageStructureException; the constructor's request is accepted.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet mistral-common==1.13.1
cat > try.py <<'PY'
from mistral_common.protocol.instruct.request import ChatCompletionRequest
from mistral_common.protocol.instruct.validator import MistralRequestValidatorV3, ValidationMode
messages = [{'role': 'user', 'content': 'Name a colour.'}, {'role': 'assistant', 'content': 'The colour is', 'prefix': True}]
validator = MistralRequestValidatorV3(mode=ValidationMode.serving)
def judge(make):
    try:
        request = make()
        validator.validate_request(request)
        return 'accepted'
    except Exception as error:
        return type(error).__name__
converted = judge(lambda: ChatCompletionRequest.from_openai(model='mistral-large-latest', messages=messages))
direct = judge(lambda: ChatCompletionRequest(model='mistral-large-latest', messages=messages))
print('from_openai:', converted, '| constructor:', direct)
assert converted != 'accepted' and direct == 'accepted', 'the behaviour has changed'
PY
./env/bin/python try.py 2>/dev/null
