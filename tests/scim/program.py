"""Calls a SCIM endpoint as an identity provider does, with scim2-client, which checks each answer against the announced schemas."""

import os
import sys

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_models import PatchOp, PatchOperation, SearchRequest, User

http = Client(base_url=sys.argv[1], headers={"Authorization": f"Bearer {os.environ['SCIM_TOKEN']}"})
scim = SyncSCIMClient(http)
scim.discover()
users = scim.get_resource_model("User")
groups = scim.get_resource_model("Group")


def expect(name: str, actual: object, expected: object) -> None:
    if actual != expected:
        sys.exit(f"{name}: {actual!r}, expected {expected!r}")
    print(f"ok: {name}")


made = [scim.create(users(user_name=f"person{at}@acme.example", active=True)) for at in range(5)]
expect("users are made", [one.user_name for one in made], [f"person{at}@acme.example" for at in range(5)])
page = scim.query(users, query_parameters=SearchRequest(filter='userName sw "PERSON"', start_index=2, count=2))
expect("pages", (page.total_results, page.start_index, [one.id for one in page.resources]), (5, 2, [made[1].id, made[2].id]))
expect("one user", scim.query(users, made[0].id).user_name, "person0@acme.example")

off = PatchOp[users](operations=[PatchOperation(op=PatchOperation.Op.replace_, path="active", value=False)])
scim.modify(users, made[0].id, off)
expect("a user is off", scim.query(users, made[0].id).active, False)

group = scim.create(groups(display_name="People", members=[{"value": made[1].id}]))
expect("a group has members", [one.value for one in group.members], [made[1].id])
expect("a user has groups", [one.display for one in scim.query(users, made[1].id).groups], ["People"])

made[2].display_name = "Third"
expect("a user is replaced", scim.replace(made[2]).display_name, "Third")
try:
    scim.create(users(user_name="person1@acme.example"))
    sys.exit("the same name was taken twice")
except Exception as error:  # the client's own classes of errors differ by version
    expect("the same name is refused", "taken" in str(error), True)

scim.delete(groups, group.id)
for one in made:
    scim.delete(users, one.id)
expect("all are gone", scim.query(users).total_results, 0)
