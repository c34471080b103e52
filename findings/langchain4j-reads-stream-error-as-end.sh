#!/usr/bin/env bash
# langchain4j (Maven) 1.19.0: an error in the middle of a stream, as OpenAI and Google send it (`data: {"error":{…}}`), is taken for the end of a
# whole answer: onCompleteResponse gets the half text with finish reason null, onError is never called. The same library's client for Anthropic's
# format calls onError. A gateway that reports a failure only by such an event is heard by the SDKs of the vendors, and not by this one.
# Seen: openai "half", null; gemini "half", null; anthropic: onError "Overloaded".
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
cat > pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>dev.langchain4j</groupId><artifactId>langchain4j-open-ai</artifactId><version>1.19.0</version></dependency>
    <dependency><groupId>dev.langchain4j</groupId><artifactId>langchain4j-anthropic</artifactId><version>1.19.0</version></dependency>
    <dependency><groupId>dev.langchain4j</groupId><artifactId>langchain4j-google-ai-gemini</artifactId><version>1.19.0</version></dependency>
  </dependencies>
</project>
XML
mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory=lib
cat > server.mjs <<'JS'
import { createServer } from 'node:http'
const line = (body) => `data: ${JSON.stringify(body)}\n\n`
const event = (body) => `event: ${body.type}\n${line(body)}`
const STREAMS = {
  openai: [
    line({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'x', choices: [{ index: 0, delta: { role: 'assistant', content: 'half' }, finish_reason: null }] }),
    line({ error: { message: 'The server had an error', type: 'server_error', param: null, code: null } }),
  ],
  gemini: [
    line({ candidates: [{ content: { role: 'model', parts: [{ text: 'half' }] }, index: 0 }] }),
    line({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }),
  ],
  anthropic: [
    event({ type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } } }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'half' } }),
    event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  ],
}
createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(STREAMS[request.url.includes(':') ? 'gemini' : request.url.endsWith('/messages') ? 'anthropic' : 'openai'].join(''))
  })
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
JS
node server.mjs > port & server=$!
trap 'kill "$server"; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done
cat > Try.java <<'JAVA'
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.response.*;
import dev.langchain4j.model.googleai.GoogleAiGeminiStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.util.concurrent.*;

public class Try {
  static String ask(StreamingChatModel model) throws Exception {
    var end = new CompletableFuture<String>();
    model.chat("hi", new StreamingChatResponseHandler() {
      public void onCompleteResponse(ChatResponse whole) { end.complete(whole.aiMessage().text() + ", " + whole.finishReason()); }
      public void onError(Throwable error) { end.complete("onError: " + error.getMessage()); }
    });
    return end.get(30, TimeUnit.SECONDS);
  }
  public static void main(String[] args) throws Exception {
    String url = "http://127.0.0.1:" + args[0];
    String seen = "openai: " + ask(OpenAiStreamingChatModel.builder().baseUrl(url + "/v1").apiKey("x").modelName("x").build())
        + "; gemini: " + ask(GoogleAiGeminiStreamingChatModel.builder().baseUrl(url + "/v1beta").apiKey("x").modelName("x").build())
        + "; anthropic: " + ask(AnthropicStreamingChatModel.builder().baseUrl(url + "/v1").apiKey("x").modelName("x").maxTokens(9).build());
    System.out.println(seen);
    if (!seen.equals("openai: half, null; gemini: half, null; anthropic: onError: Overloaded")) throw new AssertionError("the behaviour has changed");
    System.exit(0);
  }
}
JAVA
java -cp 'lib/*' Try.java "$(cat port)"
