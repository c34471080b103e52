#!/usr/bin/env bash
# Google's own SDKs differ by language, all with their defaults: google-genai (Maven) 2.0.0 repeats a refused call up to four times, @google/genai
# (npm) 3.3.0 and google-genai (PyPI) 3.6.1 send it once. The same outage costs a gateway and its vendors five calls from one Java program and one
# from a Node or Python program; the Java program learns of it after half a minute.
# Seen, for an answer 503: Java 5 calls, Node 1, Python 1.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund @google/genai@3.3.0 >/dev/null
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet --disable-pip-version-check google-genai==3.6.1
cat > pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies><dependency><groupId>com.google.genai</groupId><artifactId>google-genai</artifactId><version>2.0.0</version></dependency></dependencies>
</project>
XML
mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
cat > server.mjs <<'JS'
import { createServer } from 'node:http'
const calls = {}
createServer((request, response) => {
  if (request.url === '/calls') return response.end(JSON.stringify(calls))
  const model = request.url.split(/[/:]/)[3]
  calls[model] = (calls[model] ?? 0) + 1
  request.resume().on('end', () => {
    response.writeHead(503, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }))
  })
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
JS
node server.mjs > port & server=$!
trap 'kill "$server"; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done
url="http://127.0.0.1:$(cat port)"
cat > Try.java <<'JAVA'
import com.google.genai.Client;
import com.google.genai.types.HttpOptions;

public class Try {
  public static void main(String[] args) {
    var client = Client.builder().apiKey("x").httpOptions(HttpOptions.builder().baseUrl(args[0]).build()).build();
    try { client.models.generateContent("java", "hi", null); } catch (Exception refused) { System.exit(0); }
    throw new AssertionError("no error");
  }
}
JAVA
java -cp 'lib/*' Try.java "$url"
cat > try.mjs <<'JS'
import { GoogleGenAI } from '@google/genai'
const client = new GoogleGenAI({ apiKey: 'x', httpOptions: { baseUrl: process.argv[2] } })
await client.models.generateContent({ model: 'node', contents: 'hi' }).then(() => { throw new Error('no error') }, () => undefined)
JS
node try.mjs "$url"
cat > try.py <<'PY'
import sys
from google import genai
client = genai.Client(api_key='x', http_options={'base_url': sys.argv[1]})
try:
    client.models.generate_content(model='python', contents='hi')
except genai.errors.APIError:
    sys.exit(0)
raise AssertionError('no error')
PY
./env/bin/python try.py "$url"
seen=$(node -e "fetch('$url/calls').then(async (answer) => console.log(await answer.text()))")
echo "$seen"
[ "$seen" = '{"java":5,"node":1,"python":1}' ] || { echo 'the behaviour has changed'; exit 1; }
