//! The crate async-openai, whose types are those of OpenAI's specification: a field of another type fails the call.
use crate::{ASK_AGAIN, ASK_CHAT, ASK_IMAGE, ASK_SCHEMA, ASK_THINK, ASK_TOOLS, Failure, KEY, Outcome, URL, WANT};
use crate::{has_models, is_city, refused, same, schema, weather};
use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::error::OpenAIError;
use async_openai::types::chat::{ChatCompletionMessageToolCalls, CreateChatCompletionResponse};
use async_openai::types::responses::{OutputItem, Response, ResponseStreamEvent};
use futures::StreamExt;
use serde_json::{Value, json};

fn connect(key: &str) -> Client<OpenAIConfig> {
    Client::with_config(OpenAIConfig::new().with_api_base(format!("{}/v1", *URL)).with_api_key(key))
}

fn status_of(error: &OpenAIError) -> Option<u16> {
    match error {
        OpenAIError::ApiError(answer) => Some(answer.status_code.as_u16()),
        _ => None,
    }
}

fn same_status(error: Option<OpenAIError>, status: u16) -> Result<(), Failure> {
    let error = error.ok_or("no error")?;
    if status_of(&error) == Some(status) { Ok(()) } else { Err(format!("not status {status}: {error}").into()) }
}

pub async fn check_chat(case: &str, model: &str) -> Outcome {
    Some(match case {
        "models" => models().await,
        "chat" => async { same(chat_text(&chat(model, json!([user(ASK_CHAT)]), json!({})).await?), Some(WANT.text.clone())) }.await,
        "stream" => async { same(chat_stream(model).await?.0, WANT.text.clone()) }.await,
        "usage" => chat_usage(model).await,
        "tools" => chat_tools(model).await,
        "schema" => async {
            let format = json!({ "type": "json_schema", "json_schema": { "name": "city", "schema": schema(), "strict": true } });
            let answer = chat(model, json!([user(ASK_SCHEMA)]), json!({ "response_format": format })).await?;
            is_city(&chat_text(&answer).ok_or("no text")?)
        }
        .await,
        "image" => async {
            let url = format!("data:image/png;base64,{}", WANT.pixel);
            let parts = json!([{ "type": "text", "text": ASK_IMAGE }, { "type": "image_url", "image_url": { "url": url } }]);
            let answer = chat(model, json!([{ "role": "user", "content": parts }]), json!({})).await?;
            same(chat_text(&answer), Some(WANT.picture.clone()))
        }
        .await,
        "errors" => chat_errors(model).await,
        "embeddings" => embeddings(model).await,
        _ => return None,
    })
}

fn user(text: &str) -> Value {
    json!({ "role": "user", "content": text })
}

fn with(mut body: Value, more: Value) -> Value {
    if let (Some(fields), Value::Object(more)) = (body.as_object_mut(), more) {
        fields.extend(more);
    }
    body
}

async fn chat(model: &str, messages: Value, more: Value) -> Result<CreateChatCompletionResponse, Failure> {
    let body = serde_json::from_value(with(json!({ "model": model, "messages": messages }), more))?;
    Ok(connect(&KEY).chat().create(body).await?)
}

fn chat_text(answer: &CreateChatCompletionResponse) -> Option<String> {
    answer.choices.first()?.message.content.clone()
}

async fn chat_stream(model: &str) -> Result<(String, Option<(i64, i64)>), Failure> {
    let body = json!({ "model": model, "messages": [user(ASK_CHAT)], "stream": true, "stream_options": { "include_usage": true } });
    let mut chunks = connect(&KEY).chat().create_stream(serde_json::from_value(body)?).await?;
    let (mut whole, mut usage) = (String::new(), None);
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk?;
        chunk.choices.iter().for_each(|choice| whole += choice.delta.content.as_deref().unwrap_or(""));
        usage = chunk.usage.map(|one| (i64::from(one.prompt_tokens), i64::from(one.completion_tokens))).or(usage);
    }
    Ok((whole, usage))
}

async fn chat_usage(model: &str) -> Result<(), Failure> {
    let usage = chat(model, json!([user(ASK_CHAT)]), json!({})).await?.usage.ok_or("no usage")?;
    same((i64::from(usage.prompt_tokens), i64::from(usage.completion_tokens)), (WANT.input, WANT.output))?;
    same(chat_stream(model).await?.1, Some((WANT.input, WANT.output)))
}

async fn chat_tools(model: &str) -> Result<(), Failure> {
    let tools = json!({ "tools": [{ "type": "function", "function": { "name": "weather", "parameters": schema() } }] });
    let answer = chat(model, json!([user(ASK_TOOLS)]), tools.clone()).await?;
    let message = &answer.choices.first().ok_or("no choice")?.message;
    let mut messages = vec![user(ASK_TOOLS), json!({ "role": "assistant", "tool_calls": message.tool_calls })];
    for call in message.tool_calls.iter().flatten() {
        let ChatCompletionMessageToolCalls::Function(call) = call else { return Err("a call of another kind".into()) };
        let result = weather(&serde_json::from_str(&call.function.arguments)?)?;
        messages.push(json!({ "role": "tool", "tool_call_id": call.id, "content": result }));
    }
    same(chat_text(&chat(model, json!(messages), tools).await?), Some(WANT.forecast.clone()))
}

async fn chat_errors(model: &str) -> Result<(), Failure> {
    for (text, model, key, status) in refused(model) {
        let body = serde_json::from_value(json!({ "model": model, "messages": [user(text)] }))?;
        same_status(connect(&key).chat().create(body).await.err(), status)?;
    }
    Ok(())
}

async fn models() -> Result<(), Failure> {
    let list = connect(&KEY).models().list().await?;
    has_models(&list.data.into_iter().map(|one| one.id).collect::<Vec<_>>())
}

async fn embeddings(model: &str) -> Result<(), Failure> {
    let body = serde_json::from_value(json!({ "model": model, "input": ["one", "two"] }))?;
    let found = connect(&KEY).embeddings().create(body).await?;
    same(found.data.iter().map(|one| one.embedding.len()).collect(), vec![WANT.dimensions; 2])
}

pub async fn check_responses(case: &str, model: &str) -> Outcome {
    Some(match case {
        "models" => models().await,
        "chat" => async { same(respond(model, json!(ASK_CHAT), json!({})).await?.output_text(), Some(WANT.text.clone())) }.await,
        "stream" => async { same(responses_stream(model).await?.0, WANT.text.clone()) }.await,
        "usage" => responses_usage(model).await,
        "tools" => responses_tools(model).await,
        "schema" => async {
            let text = json!({ "text": { "format": { "type": "json_schema", "name": "city", "schema": schema(), "strict": true } } });
            is_city(&respond(model, json!(ASK_SCHEMA), text).await?.output_text().ok_or("no text")?)
        }
        .await,
        "image" => async {
            let url = format!("data:image/png;base64,{}", WANT.pixel);
            let parts = json!([{ "type": "input_text", "text": ASK_IMAGE }, { "type": "input_image", "image_url": url, "detail": "auto" }]);
            let answer = respond(model, json!([{ "role": "user", "content": parts }]), json!({})).await?;
            same(answer.output_text(), Some(WANT.picture.clone()))
        }
        .await,
        "reasoning" => responses_reasoning(model).await,
        "errors" => responses_errors(model).await,
        "embeddings" => embeddings(model).await,
        _ => return None,
    })
}

async fn respond(model: &str, input: Value, more: Value) -> Result<Response, Failure> {
    let body = serde_json::from_value(with(json!({ "model": model, "input": input }), more))?;
    Ok(connect(&KEY).responses().create(body).await?)
}

async fn responses_stream(model: &str) -> Result<(String, Option<Response>), Failure> {
    let body = json!({ "model": model, "input": ASK_CHAT, "stream": true });
    let mut events = connect(&KEY).responses().create_stream(serde_json::from_value(body)?).await?;
    let (mut whole, mut last) = (String::new(), None);
    while let Some(event) = events.next().await {
        match event? {
            ResponseStreamEvent::ResponseOutputTextDelta(one) => whole += &one.delta,
            ResponseStreamEvent::ResponseCompleted(one) => last = Some(one.response),
            _ => {}
        }
    }
    Ok((whole, last))
}

fn same_responses_usage(answer: &Response) -> Result<(), Failure> {
    let usage = answer.usage.as_ref().ok_or("no usage")?;
    same((i64::from(usage.input_tokens), i64::from(usage.output_tokens)), (WANT.input, WANT.output))
}

async fn responses_usage(model: &str) -> Result<(), Failure> {
    same_responses_usage(&respond(model, json!(ASK_CHAT), json!({})).await?)?;
    same_responses_usage(&responses_stream(model).await?.1.ok_or("no response.completed")?)
}

async fn responses_tools(model: &str) -> Result<(), Failure> {
    let tools = json!({ "tools": [{ "type": "function", "name": "weather", "parameters": schema(), "strict": true }] });
    let answer = respond(model, json!(ASK_TOOLS), tools.clone()).await?;
    let mut input = vec![user(ASK_TOOLS)];
    let mut results = Vec::new();
    for item in &answer.output {
        input.push(serde_json::to_value(item)?);
        if let OutputItem::FunctionCall(call) = item {
            let result = weather(&serde_json::from_str(&call.arguments)?)?;
            results.push(json!({ "type": "function_call_output", "call_id": call.call_id, "output": result }));
        }
    }
    input.append(&mut results);
    same(respond(model, json!(input), tools).await?.output_text(), Some(WANT.forecast.clone()))
}

async fn responses_reasoning(model: &str) -> Result<(), Failure> {
    let effort = json!({ "reasoning": { "effort": "low", "summary": "auto" } });
    let first = respond(model, json!(ASK_THINK), effort.clone()).await?;
    let thought = first.output.iter().find_map(|item| match item {
        OutputItem::Reasoning(one) => Some(serde_json::to_value(&one.summary)),
        _ => None,
    });
    let mut input = vec![user(ASK_THINK)];
    for item in &first.output {
        input.push(serde_json::to_value(item)?);
    }
    input.push(user(ASK_AGAIN));
    same(respond(model, json!(input), effort).await?.output_text(), Some(WANT.thoughts[1].clone()))?;
    same(thought.transpose()?.and_then(|summary| summary[0]["text"].as_str().map(String::from)), Some(WANT.reasoning.clone()))
}

async fn responses_errors(model: &str) -> Result<(), Failure> {
    for (text, model, key, status) in refused(model) {
        let body = serde_json::from_value(json!({ "model": model, "input": text }))?;
        same_status(connect(&key).responses().create(body).await.err(), status)?;
    }
    Ok(())
}
