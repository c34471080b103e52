import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.HttpException;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.googleai.GeminiThinkingConfig;
import dev.langchain4j.model.googleai.GoogleAiGeminiChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** LangChain4j, whose clients of the three formats are its own. */
final class LangChain {
  interface Format {
    ChatModel open(String model, String key, boolean isThinking);

    StreamingChatModel openStreaming(String model);
  }

  static final Format OPENAI =
      new Format() {
        public ChatModel open(String model, String key, boolean isThinking) {
          var builder = OpenAiChatModel.builder().baseUrl(Clients.URL + "/v1").apiKey(key).modelName(model).strictJsonSchema(true);
          if (isThinking) builder.reasoningEffort("low").returnThinking(true).sendThinking(true);
          return builder.build();
        }

        public StreamingChatModel openStreaming(String model) {
          return OpenAiStreamingChatModel.builder().baseUrl(Clients.URL + "/v1").apiKey(Clients.KEY).modelName(model).build();
        }
      };
  static final Format ANTHROPIC =
      new Format() {
        public ChatModel open(String model, String key, boolean isThinking) {
          var builder = AnthropicChatModel.builder().baseUrl(Clients.URL + "/v1").apiKey(key).modelName(model).maxTokens(2000);
          if (isThinking) builder.thinkingType("enabled").thinkingBudgetTokens(1024).returnThinking(true).sendThinking(true);
          return builder.build();
        }

        public StreamingChatModel openStreaming(String model) {
          return AnthropicStreamingChatModel.builder().baseUrl(Clients.URL + "/v1").apiKey(Clients.KEY).modelName(model).maxTokens(2000).build();
        }
      };
  static final Format GEMINI =
      new Format() {
        public ChatModel open(String model, String key, boolean isThinking) {
          var builder = GoogleAiGeminiChatModel.builder().baseUrl(Clients.URL + "/v1beta").apiKey(key).modelName(model);
          if (isThinking)
            builder.thinkingConfig(GeminiThinkingConfig.builder().includeThoughts(true).build()).returnThinking(true).sendThinking(true);
          return builder.build();
        }

        public StreamingChatModel openStreaming(String model) {
          return GoogleAiGeminiStreamingChatModel.builder().baseUrl(Clients.URL + "/v1beta").apiKey(Clients.KEY).modelName(model).build();
        }
      };

  private static ChatResponse stream(Format format, String model, StringBuilder text) throws Exception {
    var end = new CompletableFuture<ChatResponse>();
    format
        .openStreaming(model)
        .chat(
            Clients.ASK_CHAT,
            new StreamingChatResponseHandler() {
              @Override
              public void onPartialResponse(String part) {
                text.append(part);
              }

              @Override
              public void onCompleteResponse(ChatResponse response) {
                end.complete(response);
              }

              @Override
              public void onError(Throwable error) {
                end.completeExceptionally(error);
              }
            });
    return end.get(60, TimeUnit.SECONDS);
  }

  private static void sameUsage(ChatResponse answer) {
    Clients.sameUsage(answer.tokenUsage().inputTokenCount(), answer.tokenUsage().outputTokenCount());
  }

  private static JsonObjectSchema schema() {
    return JsonObjectSchema.builder().addStringProperty("city").required("city").additionalProperties(false).build();
  }

  static Map<String, Clients.Case> cases(Format format, String model) {
    ChatModel client = format.open(model, Clients.KEY, false);
    Map<String, Clients.Case> cases = new LinkedHashMap<>();
    cases.put("chat", () -> Clients.same(client.chat(Clients.ASK_CHAT), Clients.want("text")));
    cases.put(
        "stream",
        () -> {
          var text = new StringBuilder();
          Clients.same(stream(format, model, text).aiMessage().text(), Clients.want("text"));
          Clients.same(text.toString(), Clients.want("text"));
        });
    cases.put(
        "usage",
        () -> {
          sameUsage(client.chat(UserMessage.from(Clients.ASK_CHAT)));
          sameUsage(stream(format, model, new StringBuilder()));
        });
    cases.put("tools", () -> tools(client));
    cases.put(
        "schema",
        () -> {
          var json = JsonSchema.builder().name("city").rootElement(schema()).build();
          var responseFormat = ResponseFormat.builder().type(ResponseFormatType.JSON).jsonSchema(json).build();
          var request = ChatRequest.builder().messages(UserMessage.from(Clients.ASK_SCHEMA)).responseFormat(responseFormat).build();
          Clients.isCity(client.chat(request).aiMessage().text());
        });
    cases.put(
        "image",
        () -> {
          var message = UserMessage.from(TextContent.from(Clients.ASK_IMAGE), ImageContent.from(Clients.want("pixel"), "image/png"));
          Clients.same(client.chat(message).aiMessage().text(), Clients.want("picture"));
        });
    cases.put(
        "reasoning",
        () -> {
          var thinker = format.open(model, Clients.KEY, true);
          List<ChatMessage> messages = new ArrayList<>(List.of(UserMessage.from(Clients.ASK_THINK)));
          var first = thinker.chat(messages).aiMessage();
          messages.add(first);
          messages.add(UserMessage.from(Clients.ASK_AGAIN));
          Clients.same(thinker.chat(messages).aiMessage().text(), Clients.secondThought());
          Clients.same(first.thinking(), Clients.want("reasoning"));
        });
    cases.put(
        "errors", () -> Clients.hasErrors(model, (text, other, key) -> format.open(other, key, false).chat(text), LangChain::statusOf));
    return cases;
  }

  private static int statusOf(Exception error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) if (cause instanceof HttpException own) return own.statusCode();
    return 0;
  }

  private static void tools(ChatModel client) {
    var weather = ToolSpecification.builder().name("weather").parameters(schema()).build();
    List<ChatMessage> messages = new ArrayList<>(List.of(UserMessage.from(Clients.ASK_TOOLS)));
    var asked = client.chat(ChatRequest.builder().messages(messages).toolSpecifications(weather).build()).aiMessage();
    messages.add(asked);
    for (var call : asked.toolExecutionRequests()) messages.add(ToolExecutionResultMessage.from(call, Clients.weather(call.arguments())));
    var answer = client.chat(ChatRequest.builder().messages(messages).toolSpecifications(weather).build());
    Clients.same(answer.aiMessage().text(), Clients.want("forecast"));
  }
}
