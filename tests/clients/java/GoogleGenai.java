import com.google.genai.Client;
import com.google.genai.errors.ApiException;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionDeclaration;
import com.google.genai.types.FunctionResponse;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.GenerateContentResponse;
import com.google.genai.types.HttpOptions;
import com.google.genai.types.ListModelsConfig;
import com.google.genai.types.Part;
import com.google.genai.types.ThinkingConfig;
import com.google.genai.types.Tool;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Google's SDK. */
final class GoogleGenai {
  private static Client connect(String key) {
    return Client.builder().apiKey(key).httpOptions(HttpOptions.builder().baseUrl(Clients.URL).build()).build();
  }

  private static final Client CLIENT = connect(Clients.KEY);
  private static final GenerateContentConfig PLAIN = GenerateContentConfig.builder().build();

  private static List<GenerateContentResponse> stream(String model) {
    List<GenerateContentResponse> chunks = new ArrayList<>();
    try (var events = CLIENT.models.generateContentStream(model, Clients.ASK_CHAT, PLAIN)) {
      events.forEach(chunks::add);
    }
    return chunks;
  }

  private static void sameUsage(GenerateContentResponse answer) {
    var usage = answer.usageMetadata().orElseThrow();
    Clients.sameUsage(usage.promptTokenCount().orElse(0), usage.candidatesTokenCount().orElse(0) + usage.thoughtsTokenCount().orElse(0));
  }

  private static Content said(String text) {
    return Content.builder().role("user").parts(List.of(Part.fromText(text))).build();
  }

  static Map<String, Clients.Case> cases(String model) {
    Map<String, Clients.Case> cases = new LinkedHashMap<>();
    cases.put(
        "models",
        () -> {
          List<String> names = new ArrayList<>();
          CLIENT.models.list(ListModelsConfig.builder().build()).forEach(one -> names.add(one.name().orElseThrow().replace("models/", "")));
          Clients.hasModels(names);
        });
    cases.put("chat", () -> Clients.same(CLIENT.models.generateContent(model, Clients.ASK_CHAT, PLAIN).text(), Clients.want("text")));
    cases.put(
        "stream",
        () -> {
          var parts = stream(model).stream().map(GenerateContentResponse::text).filter(text -> text != null);
          Clients.same(parts.collect(Collectors.joining()), Clients.want("text"));
        });
    cases.put(
        "usage",
        () -> {
          sameUsage(CLIENT.models.generateContent(model, Clients.ASK_CHAT, PLAIN));
          var chunks = stream(model);
          sameUsage(chunks.get(chunks.size() - 1));
        });
    cases.put("tools", () -> tools(model));
    cases.put(
        "schema",
        () -> {
          var config = GenerateContentConfig.builder().responseMimeType("application/json").responseJsonSchema(Clients.SCHEMA).build();
          Clients.isCity(CLIENT.models.generateContent(model, Clients.ASK_SCHEMA, config).text());
        });
    cases.put(
        "image",
        () -> {
          var pixel = Part.fromBytes(Base64.getDecoder().decode(Clients.want("pixel")), "image/png");
          var content = Content.builder().role("user").parts(List.of(Part.fromText(Clients.ASK_IMAGE), pixel)).build();
          Clients.same(CLIENT.models.generateContent(model, content, PLAIN).text(), Clients.want("picture"));
        });
    cases.put(
        "reasoning",
        () -> {
          var config = GenerateContentConfig.builder().thinkingConfig(ThinkingConfig.builder().includeThoughts(true).build()).build();
          var first = CLIENT.models.generateContent(model, Clients.ASK_THINK, config);
          var answer = first.candidates().orElseThrow().get(0).content().orElseThrow();
          var contents = List.of(said(Clients.ASK_THINK), answer, said(Clients.ASK_AGAIN));
          Clients.same(CLIENT.models.generateContent(model, contents, config).text(), Clients.secondThought());
          var thought = first.parts().stream().filter(part -> part.thought().orElse(false)).findFirst().orElseThrow();
          Clients.same(thought.text().orElse(null), Clients.want("reasoning"));
        });
    cases.put(
        "errors",
        () ->
            Clients.hasErrors(
                model,
                (text, other, key) -> connect(key).models.generateContent(other, text, PLAIN),
                error -> error instanceof ApiException own ? own.code() : 0));
    cases.put(
        "embeddings",
        () -> {
          var found = CLIENT.models.embedContent(model, List.of("one", "two"), null).embeddings().orElseThrow();
          int dimensions = Clients.WANT.get("dimensions").asInt();
          Clients.same(found.stream().map(one -> one.values().orElseThrow().size()).toList(), List.of(dimensions, dimensions));
        });
    return cases;
  }

  private static void tools(String model) {
    var weather = FunctionDeclaration.builder().name("weather").parametersJsonSchema(Clients.SCHEMA).build();
    var config = GenerateContentConfig.builder().tools(Tool.builder().functionDeclarations(List.of(weather)).build()).build();
    var asked = CLIENT.models.generateContent(model, said(Clients.ASK_TOOLS), config);
    List<Part> results = new ArrayList<>();
    for (var call : asked.functionCalls()) {
      Map<String, Object> result = Map.of("result", Clients.weather(Clients.write(call.args().orElseThrow())));
      var response = FunctionResponse.builder().name(call.name().orElseThrow()).response(result);
      call.id().ifPresent(response::id);
      results.add(Part.builder().functionResponse(response.build()).build());
    }
    var answer = asked.candidates().orElseThrow().get(0).content().orElseThrow();
    var contents = List.of(said(Clients.ASK_TOOLS), answer, Content.builder().role("user").parts(results).build());
    Clients.same(CLIENT.models.generateContent(model, contents, config).text(), Clients.want("forecast"));
  }
}
