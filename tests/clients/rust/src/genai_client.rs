//! The crate genai, which speaks each vendor's own format.
use crate::{ASK_AGAIN, ASK_CHAT, ASK_IMAGE, ASK_SCHEMA, ASK_THINK, ASK_TOOLS, Failure, KEY, Outcome, URL, WANT};
use crate::{has_models, is_city, refused, same, schema, weather};
use futures::StreamExt;
use genai::adapter::AdapterKind;
use genai::chat::{ChatMessage, ChatOptions, ChatRequest, ChatResponse, ChatStreamEvent, ContentPart, JsonSpec, MessageContent};
use genai::chat::{ReasoningEffort, Tool, ToolResponse, Usage};
use genai::resolver::{AuthData, Endpoint, ServiceTargetResolver};
use genai::{Client, ModelIden, ServiceTarget};

fn connect(kind: AdapterKind, key: &str) -> Result<Client, Failure> {
    let (key, version) = (key.to_owned(), if kind == AdapterKind::Gemini { "v1beta" } else { "v1" });
    let endpoint = format!("{}/{version}/", *URL);
    let resolver = ServiceTargetResolver::from_resolver_fn(move |target: ServiceTarget| -> Result<ServiceTarget, genai::resolver::Error> {
        Ok(ServiceTarget {
            endpoint: Endpoint::from_owned(endpoint.as_str()),
            auth: AuthData::from_single(key.as_str()),
            model: ModelIden::new(kind, target.model.model_name),
        })
    });
    Ok(Client::builder().with_service_target_resolver(resolver).build()?)
}

pub async fn check(kind: AdapterKind, case: &str, model: &str) -> Outcome {
    match case {
        "models" => None,
        "embeddings" if kind == AdapterKind::Anthropic || kind == AdapterKind::OpenAIResp => None,
        _ => Some(run(kind, case, model).await),
    }
}

async fn run(kind: AdapterKind, case: &str, model: &str) -> Result<(), Failure> {
    let client = connect(kind, &KEY)?;
    let call = Call { client: &client, model };
    match case {
        "chat" => same(text_of(&call.ask(ASK_CHAT).await?)?, WANT.text.clone()),
        "stream" => same(call.stream().await?.0, WANT.text.clone()),
        "usage" => {
            same_usage(&call.ask(ASK_CHAT).await?.usage)?;
            same_usage(&call.stream().await?.1.ok_or("no usage at the end")?)
        }
        "tools" => call.tools().await,
        "schema" => {
            let options = ChatOptions::default().with_response_format(JsonSpec::new("city", schema()));
            is_city(&text_of(&call.create(ChatRequest::from_user(ASK_SCHEMA), &options).await?)?)
        }
        "image" => {
            let parts = vec![ContentPart::from_text(ASK_IMAGE), ContentPart::from_binary_base64("image/png", WANT.pixel.as_str(), None)];
            let request = ChatRequest::new(vec![ChatMessage::user(MessageContent::from_parts(parts))]);
            same(text_of(&call.create(request, &ChatOptions::default()).await?)?, WANT.picture.clone())
        }
        "reasoning" => call.reasoning().await,
        "errors" => errors(kind, model).await,
        "embeddings" => {
            let found = client.embed_batch(model, vec!["one".into(), "two".into()], None).await?;
            same(found.embeddings.iter().map(|one| one.dimensions()).collect(), vec![WANT.dimensions; 2])
        }
        _ => has_models(&[]),
    }
}

struct Call<'a> {
    client: &'a Client,
    model: &'a str,
}

impl Call<'_> {
    async fn create(&self, request: ChatRequest, options: &ChatOptions) -> Result<ChatResponse, Failure> {
        Ok(self.client.exec_chat(self.model, request, Some(options)).await?)
    }

    async fn ask(&self, text: &str) -> Result<ChatResponse, Failure> {
        self.create(ChatRequest::from_user(text), &ChatOptions::default()).await
    }

    async fn stream(&self) -> Result<(String, Option<Usage>), Failure> {
        let options = ChatOptions::default().with_capture_usage(true);
        let mut events = self.client.exec_chat_stream(self.model, ChatRequest::from_user(ASK_CHAT), Some(&options)).await?.stream;
        let mut whole = String::new();
        while let Some(event) = events.next().await {
            match event? {
                ChatStreamEvent::Chunk(chunk) => whole += &chunk.content,
                ChatStreamEvent::End(end) => return Ok((whole, end.captured_usage)),
                _ => {}
            }
        }
        Err("the stream has no end".into())
    }

    async fn tools(&self) -> Result<(), Failure> {
        let request = ChatRequest::from_user(ASK_TOOLS).with_tools(vec![Tool::new("weather").with_schema(schema())]);
        let calls = self.create(request.clone(), &ChatOptions::default()).await?.into_tool_calls();
        let mut request = request.append_message(calls.clone());
        for call in &calls {
            request = request.append_message(ToolResponse::from_tool_call(call, weather(&call.fn_arguments)?));
        }
        same(text_of(&self.create(request, &ChatOptions::default()).await?)?, WANT.forecast.clone())
    }

    async fn reasoning(&self) -> Result<(), Failure> {
        let options = ChatOptions::default().with_reasoning_effort(ReasoningEffort::Low).with_capture_reasoning_content(true);
        let request = ChatRequest::from_user(ASK_THINK);
        let first = self.create(request.clone(), &options).await?;
        let thought = first.reasoning_content.clone().or_else(|| first.content.joined_reasoning_content());
        let next = request.append_message(ChatMessage::assistant(first.content)).append_message(ChatMessage::user(ASK_AGAIN));
        same(text_of(&self.create(next, &options).await?)?, WANT.thoughts[1].clone())?;
        same(thought, Some(WANT.reasoning.clone()))
    }
}

async fn errors(kind: AdapterKind, model: &str) -> Result<(), Failure> {
    for (text, model, key, status) in refused(model) {
        let client = connect(kind, &key)?;
        let error = client.exec_chat(model.as_str(), ChatRequest::from_user(text), None).await.err().ok_or("no error")?;
        let found = match &error {
            genai::Error::WebModelCall { webc_error, .. } => webc_error.status().map(|one| one.as_u16()),
            genai::Error::HttpError { status, .. } => Some(status.as_u16()),
            _ => None,
        };
        if found != Some(status) {
            return Err(format!("status {found:?} instead of {status}: {error}").into());
        }
    }
    Ok(())
}

fn text_of(answer: &ChatResponse) -> Result<String, Failure> {
    Ok(answer.content.joined_texts().ok_or("no text")?)
}

fn same_usage(usage: &Usage) -> Result<(), Failure> {
    let found = (usage.prompt_tokens.map(i64::from), usage.completion_tokens.map(i64::from));
    same(found, (Some(WANT.input), Some(WANT.output)))
}
