"""Signs in with the generated client and lists the channels."""

import os
import sys

from tollgate_client import Client
from tollgate_client.api.channels import channels_list
from tollgate_client.api.sign_in import sign_in_create
from tollgate_client.models import LoginBody, Refusal

client = Client(base_url=sys.argv[1])
body = LoginBody(username=os.environ["TOLLGATE_NAME"], password=os.environ["TOLLGATE_PASSWORD"])
signed_in = sign_in_create.sync(client=client, body=body)
if signed_in is None or isinstance(signed_in, Refusal):
    sys.exit(f"not signed in: {signed_in}")

# The session is a cookie, which the client keeps; the header names the account.
client.get_httpx_client().headers["New-Api-User"] = str(signed_in.data.id)
answer = channels_list.sync(client=client)
if answer is None or isinstance(answer, Refusal):
    sys.exit(f"no channels: {answer}")
for channel in answer.data:
    print(channel.id, channel.name, channel.models)
print(f"{len(answer.data)} channels, listed by the generated client")
