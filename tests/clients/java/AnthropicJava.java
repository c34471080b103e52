import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.core.JsonValue;
import com.anthropic.errors.AnthropicServiceException;
import com.anthropic.helpers.MessageAccumulator;
import com.anthropic.models.messages.Base64ImageSource;
import com.anthropic.models.messages.ContentBlockParam;
import com.anthropic.models.messages.ImageBlockParam;
import com.anthropic.models.messages.JsonOutputFormat;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.OutputConfig;
import com.anthropic.models.messages.TextBlockParam;
import com.anthropic.models.messages.ThinkingConfigEnabled;
import com.anthropic.models.messages.Tool;
import com.anthropic.models.messages.ToolResultBlockParam;
import com.anthropic.models.messages.ToolUseBlock;
import com.anthropic.models.models.ModelInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Anthropic's SDK, which is told to refuse an answer with a field of another type than its own. */
final class AnthropicJava {
  private static AnthropicClient connect(String key) {
    return AnthropicOkHttpClient.builder().baseUrl(Clients.URL).apiKey(key).responseValidation(true).build();
  }

  private static final AnthropicClient CLIENT = connect(Clients.KEY);

  private static MessageCreateParams.Builder message(String model) {
    return MessageCreateParams.builder().model(model).maxTokens(2000);
  }

  private static Message create(MessageCreateParams.Builder body) {
    return CLIENT.messages().create(body.build());
  }

  private static String textOf(Message answer) {
    return answer.content().stream().flatMap(block -> block.text().stream()).map(block -> block.text()).collect(Collectors.joining());
  }

  private static Message stream(MessageCreateParams.Builder body) {
    var whole = MessageAccumulator.create();
    try (var events = CLIENT.messages().createStreaming(body.build())) {
      events.stream().forEach(whole::accumulate);
    }
    return whole.message();
  }

  private static Message stream(String model) {
    return stream(message(model).addUserMessage(Clients.ASK_CHAT));
  }

  private static String thoughtOf(Message answer) {
    return answer.content().stream().flatMap(block -> block.thinking().stream()).findFirst().orElseThrow().thinking();
  }

  private static void sameUsage(Message answer) {
    Clients.sameUsage(answer.usage().inputTokens(), answer.usage().outputTokens());
  }

  private static Map<String, JsonValue> schema() {
    return Clients.SCHEMA.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> JsonValue.from(entry.getValue())));
  }

  static Map<String, Clients.Case> cases(String model) {
    Map<String, Clients.Case> cases = new LinkedHashMap<>();
    cases.put("models", () -> Clients.hasModels(CLIENT.models().list().items().stream().map(ModelInfo::id).toList()));
    cases.put("chat", () -> Clients.same(textOf(create(message(model).addUserMessage(Clients.ASK_CHAT))), Clients.want("text")));
    cases.put("stream", () -> Clients.same(textOf(stream(model)), Clients.want("text")));
    cases.put(
        "usage",
        () -> {
          sameUsage(create(message(model).addUserMessage(Clients.ASK_CHAT)));
          sameUsage(stream(model));
        });
    cases.put("tools", () -> tools(model));
    cases.put(
        "schema",
        () -> {
          var format = JsonOutputFormat.builder().schema(JsonOutputFormat.Schema.builder().putAllAdditionalProperties(schema()).build()).build();
          var body = message(model).addUserMessage(Clients.ASK_SCHEMA).outputConfig(OutputConfig.builder().format(format).build());
          Clients.isCity(textOf(create(body)));
        });
    cases.put(
        "image",
        () -> {
          var source = Base64ImageSource.builder().mediaType(Base64ImageSource.MediaType.IMAGE_PNG).data(Clients.want("pixel")).build();
          var parts =
              List.of(
                  ContentBlockParam.ofText(TextBlockParam.builder().text(Clients.ASK_IMAGE).build()),
                  ContentBlockParam.ofImage(ImageBlockParam.builder().source(source).build()));
          Clients.same(textOf(create(message(model).addUserMessageOfContentBlockParams(parts))), Clients.want("picture"));
        });
    cases.put(
        "reasoning",
        () -> {
          var body = message(model).thinking(ThinkingConfigEnabled.builder().budgetTokens(1024).build()).addUserMessage(Clients.ASK_THINK);
          var first = create(body);
          Clients.same(textOf(create(body.addMessage(first).addUserMessage(Clients.ASK_AGAIN))), Clients.secondThought());
          Clients.same(thoughtOf(first), Clients.want("reasoning"));
          var next = message(model).thinking(ThinkingConfigEnabled.builder().budgetTokens(1024).build()).addUserMessage(Clients.ASK_THINK);
          Clients.same(thoughtOf(stream(next)), Clients.want("reasoning"));
        });
    cases.put(
        "errors",
        () ->
            Clients.hasErrors(
                model,
                (text, other, key) -> connect(key).messages().create(message(other).addUserMessage(text).build()),
                error -> error instanceof AnthropicServiceException own ? own.statusCode() : 0));
    return cases;
  }

  private static void tools(String model) {
    var properties = Tool.InputSchema.Properties.builder().putAdditionalProperty("city", JsonValue.from(Map.of("type", "string"))).build();
    var schema = Tool.InputSchema.builder().properties(properties).addRequired("city").build();
    var body = message(model).addTool(Tool.builder().name("weather").inputSchema(schema).build()).addUserMessage(Clients.ASK_TOOLS);
    var asked = create(body);
    Clients.same(textsOf(stream(body)), textsOf(asked));
    var results = asked.content().stream().flatMap(block -> block.toolUse().stream()).map(AnthropicJava::answer).toList();
    body.addMessage(asked).addUserMessageOfContentBlockParams(results);
    Clients.same(textOf(create(body)), Clients.want("forecast"));
  }

  private static List<String> textsOf(Message asked) {
    return asked.content().stream()
        .flatMap(block -> block.toolUse().stream())
        .map(call -> Clients.weather(Clients.write(call._input().convert(Map.class))))
        .toList();
  }

  private static ContentBlockParam answer(ToolUseBlock call) {
    String input = Clients.write(call._input().convert(Map.class));
    return ContentBlockParam.ofToolResult(ToolResultBlockParam.builder().toolUseId(call.id()).content(Clients.weather(input)).build());
  }
}
