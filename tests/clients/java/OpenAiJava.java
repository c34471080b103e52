import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.errors.OpenAIServiceException;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.Reasoning;
import com.openai.models.ReasoningEffort;
import com.openai.models.ResponseFormatJsonSchema;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionContentPart;
import com.openai.models.chat.completions.ChatCompletionContentPartImage;
import com.openai.models.chat.completions.ChatCompletionContentPartText;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionFunctionTool;
import com.openai.models.chat.completions.ChatCompletionMessage;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import com.openai.models.completions.CompletionUsage;
import com.openai.models.embeddings.EmbeddingCreateParams;
import com.openai.models.models.Model;
import com.openai.models.responses.EasyInputMessage;
import com.openai.models.responses.FunctionTool;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseFormatTextJsonSchemaConfig;
import com.openai.models.responses.ResponseInputContent;
import com.openai.models.responses.ResponseInputImage;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseInputText;
import com.openai.models.responses.ResponseOutputItem;
import com.openai.models.responses.ResponseStreamEvent;
import com.openai.models.responses.ResponseTextConfig;
import com.openai.models.responses.ResponseUsage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** OpenAI's SDK, which is told to refuse an answer with a field of another type than the specification's. */
final class OpenAiJava {
  private static OpenAIClient connect(String key) {
    return OpenAIOkHttpClient.builder().baseUrl(Clients.URL + "/v1").apiKey(key).responseValidation(true).build();
  }

  private static final OpenAIClient CLIENT = connect(Clients.KEY);

  private static int statusOf(Exception error) {
    return error instanceof OpenAIServiceException own ? own.statusCode() : 0;
  }

  private static Map<String, JsonValue> schema() {
    return Clients.SCHEMA.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> JsonValue.from(entry.getValue())));
  }

  private static Map<String, Clients.Case> common(String model) {
    Map<String, Clients.Case> cases = new LinkedHashMap<>();
    cases.put("models", () -> Clients.hasModels(CLIENT.models().list().items().stream().map(Model::id).toList()));
    cases.put(
        "embeddings",
        () -> {
          var found = CLIENT.embeddings().create(EmbeddingCreateParams.builder().model(model).inputOfArrayOfStrings(List.of("one", "two")).build());
          int dimensions = Clients.WANT.get("dimensions").asInt();
          Clients.same(found.data().stream().map(one -> one.embedding().size()).toList(), List.of(dimensions, dimensions));
        });
    return cases;
  }

  private static ChatCompletionCreateParams.Builder chat(String model) {
    return ChatCompletionCreateParams.builder().model(model);
  }

  private static String textOf(ChatCompletionCreateParams.Builder body) {
    return textOf(CLIENT.chat().completions().create(body.build()));
  }

  private static String textOf(ChatCompletion answer) {
    return answer.choices().get(0).message().content().orElse(null);
  }

  private static void sameUsage(CompletionUsage usage) {
    Clients.sameUsage(usage.promptTokens(), usage.completionTokens());
  }

  private static List<ChatCompletionChunk> chunks(ChatCompletionCreateParams.Builder body) {
    var options = ChatCompletionStreamOptions.builder().includeUsage(true).build();
    try (var events = CLIENT.chat().completions().createStreaming(body.streamOptions(options).build())) {
      return events.stream().toList();
    }
  }

  private static List<ChatCompletionChunk> chunks(String model) {
    return chunks(chat(model).addUserMessage(Clients.ASK_CHAT));
  }

  /** The message of a stream. */
  private static ChatCompletionMessage streamed(ChatCompletionCreateParams.Builder body) {
    var whole = ChatCompletionAccumulator.create();
    chunks(body).forEach(whole::accumulate);
    return whole.chatCompletion().choices().get(0).message();
  }

  static Map<String, Clients.Case> chatCases(String model) {
    Map<String, Clients.Case> cases = common(model);
    cases.put("chat", () -> Clients.same(textOf(chat(model).addUserMessage(Clients.ASK_CHAT)), Clients.want("text")));
    cases.put(
        "stream",
        () -> {
          var parts = chunks(model).stream().flatMap(chunk -> chunk.choices().stream()).flatMap(choice -> choice.delta().content().stream());
          Clients.same(parts.collect(Collectors.joining()), Clients.want("text"));
        });
    cases.put(
        "usage",
        () -> {
          sameUsage(CLIENT.chat().completions().create(chat(model).addUserMessage(Clients.ASK_CHAT).build()).usage().orElseThrow());
          var streamed = chunks(model).stream().flatMap(chunk -> chunk.usage().stream()).toList();
          Clients.same(streamed.size(), 1);
          sameUsage(streamed.get(0));
        });
    cases.put("tools", () -> chatTools(model));
    cases.put(
        "schema",
        () -> {
          var schema = ResponseFormatJsonSchema.JsonSchema.Schema.builder().putAllAdditionalProperties(schema()).build();
          var format = ResponseFormatJsonSchema.JsonSchema.builder().name("city").schema(schema).strict(true).build();
          var body = chat(model).addUserMessage(Clients.ASK_SCHEMA).responseFormat(ResponseFormatJsonSchema.builder().jsonSchema(format).build());
          Clients.isCity(textOf(body));
        });
    cases.put(
        "image",
        () -> {
          var url = ChatCompletionContentPartImage.ImageUrl.builder().url("data:image/png;base64," + Clients.want("pixel")).build();
          var parts =
              List.of(
                  ChatCompletionContentPart.ofText(ChatCompletionContentPartText.builder().text(Clients.ASK_IMAGE).build()),
                  ChatCompletionContentPart.ofImageUrl(ChatCompletionContentPartImage.builder().imageUrl(url).build()));
          Clients.same(textOf(chat(model).addUserMessageOfArrayOfContentParts(parts)), Clients.want("picture"));
        });
    cases.put(
        "reasoning",
        () -> {
          var body = chat(model).reasoningEffort(ReasoningEffort.LOW).addUserMessage(Clients.ASK_THINK);
          var first = CLIENT.chat().completions().create(body.build()).choices().get(0).message();
          Clients.same(textOf(body.addMessage(first).addUserMessage(Clients.ASK_AGAIN)), Clients.secondThought());
          Clients.same(first._additionalProperties().get("reasoning_content").convert(String.class), Clients.want("reasoning"));
          var next = chat(model).reasoningEffort(ReasoningEffort.LOW).addUserMessage(Clients.ASK_THINK);
          Clients.same(streamed(next).content(), first.content());
        });
    cases.put(
        "errors",
        () ->
            Clients.hasErrors(
                model,
                (text, other, key) -> connect(key).chat().completions().create(chat(other).addUserMessage(text).build()),
                OpenAiJava::statusOf));
    return cases;
  }

  private static void chatTools(String model) {
    var parameters = FunctionParameters.builder().putAllAdditionalProperties(schema()).build();
    var function = FunctionDefinition.builder().name("weather").parameters(parameters).build();
    var body = chat(model).addTool(ChatCompletionFunctionTool.builder().function(function).build()).addUserMessage(Clients.ASK_TOOLS);
    var asked = CLIENT.chat().completions().create(body.build()).choices().get(0).message();
    var next = chat(model).addTool(ChatCompletionFunctionTool.builder().function(function).build()).addUserMessage(Clients.ASK_TOOLS);
    Clients.same(argumentsOf(streamed(next)), argumentsOf(asked));
    body.addMessage(asked);
    for (var call : asked.toolCalls().orElseThrow()) {
      String result = Clients.weather(call.asFunction().function().arguments());
      body.addMessage(ChatCompletionToolMessageParam.builder().toolCallId(call.asFunction().id()).content(result).build());
    }
    Clients.same(textOf(body), Clients.want("forecast"));
  }

  private static List<String> argumentsOf(ChatCompletionMessage asked) {
    return asked.toolCalls().orElseThrow().stream().map(call -> Clients.weather(call.asFunction().function().arguments())).toList();
  }

  private static ResponseCreateParams.Builder response(String model) {
    return ResponseCreateParams.builder().model(model);
  }

  private static String outputOf(ResponseCreateParams.Builder body) {
    return outputOf(CLIENT.responses().create(body.build()));
  }

  private static String outputOf(Response answer) {
    return answer.output().stream()
        .flatMap(item -> item.message().stream())
        .flatMap(message -> message.content().stream())
        .flatMap(part -> part.outputText().stream())
        .map(part -> part.text())
        .collect(Collectors.joining());
  }

  private static void sameUsage(ResponseUsage usage) {
    Clients.sameUsage(usage.inputTokens(), usage.outputTokens());
  }

  private static List<ResponseStreamEvent> events(ResponseCreateParams.Builder body) {
    try (var events = CLIENT.responses().createStreaming(body.build())) {
      return events.stream().toList();
    }
  }

  private static List<ResponseStreamEvent> events(String model) {
    return events(response(model).input(Clients.ASK_CHAT));
  }

  /** The response of a stream, put together from its events. */
  private static Response streamed(ResponseCreateParams.Builder body) {
    var whole = ResponseAccumulator.create();
    events(body).forEach(whole::accumulate);
    return whole.response();
  }

  private static ResponseInputItem said(String text) {
    return ResponseInputItem.ofEasyInputMessage(EasyInputMessage.builder().role(EasyInputMessage.Role.USER).content(text).build());
  }

  static Map<String, Clients.Case> responsesCases(String model) {
    Map<String, Clients.Case> cases = common(model);
    cases.put("chat", () -> Clients.same(outputOf(response(model).input(Clients.ASK_CHAT)), Clients.want("text")));
    cases.put(
        "stream",
        () -> {
          var parts = events(model).stream().flatMap(event -> event.outputTextDelta().stream()).map(delta -> delta.delta());
          Clients.same(parts.collect(Collectors.joining()), Clients.want("text"));
        });
    cases.put(
        "usage",
        () -> {
          sameUsage(CLIENT.responses().create(response(model).input(Clients.ASK_CHAT).build()).usage().orElseThrow());
          var ends = events(model).stream().flatMap(event -> event.completed().stream()).toList();
          sameUsage(ends.get(0).response().usage().orElseThrow());
        });
    cases.put("tools", () -> responsesTools(model));
    cases.put(
        "schema",
        () -> {
          var schema = ResponseFormatTextJsonSchemaConfig.Schema.builder().putAllAdditionalProperties(schema()).build();
          var format = ResponseFormatTextJsonSchemaConfig.builder().name("city").schema(schema).strict(true).build();
          Clients.isCity(outputOf(response(model).input(Clients.ASK_SCHEMA).text(ResponseTextConfig.builder().format(format).build())));
        });
    cases.put(
        "image",
        () -> {
          String url = "data:image/png;base64," + Clients.want("pixel");
          var image = ResponseInputImage.builder().imageUrl(url).detail(ResponseInputImage.Detail.AUTO).build();
          var text = ResponseInputText.builder().text(Clients.ASK_IMAGE).build();
          var parts = List.of(ResponseInputContent.ofInputText(text), ResponseInputContent.ofInputImage(image));
          var message = ResponseInputItem.Message.builder().role(ResponseInputItem.Message.Role.USER).content(parts).build();
          Clients.same(outputOf(response(model).inputOfResponse(List.of(ResponseInputItem.ofMessage(message)))), Clients.want("picture"));
        });
    cases.put("reasoning", () -> responsesReasoning(model));
    cases.put(
        "errors",
        () ->
            Clients.hasErrors(
                model,
                (text, other, key) -> connect(key).responses().create(response(other).input(text).build()),
                OpenAiJava::statusOf));
    return cases;
  }

  private static ResponseInputItem again(ResponseOutputItem item) {
    if (item.isReasoning()) return ResponseInputItem.ofReasoning(item.asReasoning());
    if (item.isFunctionCall()) return ResponseInputItem.ofFunctionCall(item.asFunctionCall());
    return ResponseInputItem.ofResponseOutputMessage(item.asMessage());
  }

  private static void responsesTools(String model) {
    var parameters = FunctionTool.Parameters.builder().putAllAdditionalProperties(schema()).build();
    var body = response(model).addTool(FunctionTool.builder().name("weather").parameters(parameters).strict(true).build());
    List<ResponseInputItem> input = new ArrayList<>(List.of(said(Clients.ASK_TOOLS)));
    var asked = CLIENT.responses().create(body.inputOfResponse(input).build());
    Clients.same(argumentsOf(streamed(body)), argumentsOf(asked));
    asked.output().forEach(item -> input.add(again(item)));
    for (var item : asked.output()) {
      if (!item.isFunctionCall()) continue;
      var call = item.asFunctionCall();
      var result = ResponseInputItem.FunctionCallOutput.builder().callId(call.callId()).output(Clients.weather(call.arguments())).build();
      input.add(ResponseInputItem.ofFunctionCallOutput(result));
    }
    Clients.same(outputOf(body.inputOfResponse(input)), Clients.want("forecast"));
  }

  private static List<String> argumentsOf(Response asked) {
    return asked.output().stream().flatMap(item -> item.functionCall().stream()).map(call -> Clients.weather(call.arguments())).toList();
  }

  private static String thoughtOf(Response answer) {
    var thought = answer.output().stream().filter(ResponseOutputItem::isReasoning).findFirst().orElseThrow().asReasoning();
    return thought.summary().get(0).text();
  }

  private static void responsesReasoning(String model) {
    var body = response(model).reasoning(Reasoning.builder().effort(ReasoningEffort.LOW).summary(Reasoning.Summary.AUTO).build());
    List<ResponseInputItem> input = new ArrayList<>(List.of(said(Clients.ASK_THINK)));
    var first = CLIENT.responses().create(body.inputOfResponse(input).build());
    first.output().forEach(item -> input.add(again(item)));
    input.add(said(Clients.ASK_AGAIN));
    Clients.same(outputOf(body.inputOfResponse(input)), Clients.secondThought());
    Clients.same(thoughtOf(first), Clients.want("reasoning"));
    Clients.same(thoughtOf(streamed(body.inputOfResponse(List.of(said(Clients.ASK_THINK))))), Clients.want("reasoning"));
  }
}
