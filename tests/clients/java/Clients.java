import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;

/** Runs every client of Java: prints one JSON line per cell. Arguments: names of clients; none: all. */
public final class Clients {
  /** A case; it returns if the client found what was expected. */
  public interface Case {
    void run() throws Exception;
  }

  static final String ASK_CHAT = "hello";
  static final String ASK_TOOLS = "What is the weather?";
  static final String ASK_SCHEMA = "Give a structured city.";
  static final String ASK_IMAGE = "Describe this picture.";
  static final String ASK_THINK = "Please ponder.";
  static final String ASK_AGAIN = "Please ponder once more.";
  static final ObjectMapper JSON = new ObjectMapper();
  static final String URL = System.getenv("TOLLGATE_URL");
  static final String KEY = System.getenv("TOLLGATE_KEY");
  static final JsonNode WANT = parse(System.getenv("EXPECTED"));
  static final Map<String, Object> SCHEMA =
      Map.of(
          "type", "object",
          "properties", Map.of("city", Map.of("type", "string")),
          "required", List.of("city"),
          "additionalProperties", false);
  private static final List<String> VENDORS = List.of("openai", "chat", "anthropic", "gemini");
  private static final List<String> CASES =
      List.of("models", "chat", "stream", "usage", "tools", "schema", "image", "reasoning", "errors", "embeddings");

  private static Map<String, Function<String, Map<String, Case>>> clients() {
    Map<String, Function<String, Map<String, Case>>> all = new LinkedHashMap<>();
    all.put("java openai-java (chat)", OpenAiJava::chatCases);
    all.put("java openai-java (responses)", OpenAiJava::responsesCases);
    all.put("java anthropic-java", AnthropicJava::cases);
    all.put("java google-genai", GoogleGenai::cases);
    all.put("java langchain4j (openai)", model -> LangChain.cases(LangChain.OPENAI, model));
    all.put("java langchain4j (anthropic)", model -> LangChain.cases(LangChain.ANTHROPIC, model));
    all.put("java langchain4j (gemini)", model -> LangChain.cases(LangChain.GEMINI, model));
    return all;
  }

  public static void main(String[] wanted) throws Exception {
    for (var client : clients().entrySet()) {
      if (wanted.length > 0 && !List.of(wanted).contains(client.getKey())) continue;
      for (String vendor : VENDORS) {
        Map<String, Case> cases = client.getValue().apply("model-" + vendor);
        for (String name : CASES) {
          String[] found = judge(cases.get(name), vendor, name);
          if (found[0].equals("red")) System.err.println(client.getKey() + " " + vendor + " " + name + ": " + found[1]);
          Map<String, String> cell = new LinkedHashMap<>();
          cell.put("client", client.getKey());
          cell.put("vendor", vendor);
          cell.put("case", name);
          cell.put("result", found[0]);
          cell.put("reason", found[1]);
          System.out.println("CELL " + JSON.writeValueAsString(cell));
        }
      }
    }
    // The HTTP clients keep threads for idle connections.
    System.exit(0);
  }

  private static String[] judge(Case check, String vendor, String name) {
    if (check == null) return new String[] {"none", "the client has no such call"};
    boolean isWithout = name.equals("embeddings") && vendor.equals("anthropic");
    try {
      check.run();
    } catch (Exception | AssertionError failure) {
      if (isWithout) return new String[] {"none", "Anthropic has no embeddings: an error answers"};
      return new String[] {"red", String.valueOf(failure)};
    }
    return isWithout ? new String[] {"red", "a vendor without embeddings answered"} : new String[] {"ok", ""};
  }

  static void same(Object found, Object expected) {
    if (!Objects.equals(found, expected)) throw new AssertionError(found + " instead of " + expected);
  }

  static void sameUsage(long input, long output) {
    same(List.of(input, output), List.of(WANT.get("input").asLong(), WANT.get("output").asLong()));
  }

  static String want(String name) {
    return WANT.get(name).asText();
  }

  static String secondThought() {
    return WANT.get("thoughts").get(1).asText();
  }

  static void isCity(String text) {
    same(parse(text).get("city").asText(), "Bonn");
  }

  /** The weather that a call of the tool asked for. */
  static String weather(String arguments) {
    return WANT.get("weather").get(parse(arguments).get("city").asText()).asText();
  }

  static void hasModels(List<String> found) {
    for (String vendor : VENDORS) if (!found.contains("model-" + vendor)) throw new AssertionError("model-" + vendor + " is not in " + found);
  }

  interface Ask {
    void run(String text, String model, String key) throws Exception;
  }

  /** A bad request, an unknown model and a wrong key, each with its status; `statusOf`: 0 if the error is not the client's own. */
  static void hasErrors(String model, Ask ask, Function<Exception, Integer> statusOf) {
    hasError(() -> ask.run("refuse", model, KEY), 400, statusOf);
    hasError(() -> ask.run(ASK_CHAT, "no-such-model", KEY), 404, statusOf);
    hasError(() -> ask.run(ASK_CHAT, model, "sk-wrong"), 401, statusOf);
  }

  private static void hasError(Case ask, int status, Function<Exception, Integer> statusOf) {
    try {
      ask.run();
    } catch (Exception error) {
      if (statusOf.apply(error) != status) throw new AssertionError("not status " + status + ": " + error);
      return;
    }
    throw new AssertionError("no error for status " + status);
  }

  static JsonNode parse(String text) {
    return call(() -> JSON.readTree(text));
  }

  static String write(Object value) {
    return call(() -> JSON.writeValueAsString(value));
  }

  private static <T> T call(Callable<T> work) {
    try {
      return work.call();
    } catch (Exception error) {
      throw new IllegalStateException(error);
    }
  }
}
