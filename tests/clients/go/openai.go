package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"
)

var background = context.Background()

func connectOpenAI(key string) openai.Client {
	return openai.NewClient(option.WithAPIKey(key), option.WithBaseURL(url+"/v1"), option.WithMaxRetries(0))
}

func openaiStatus(err error) int {
	var own *openai.Error
	if errors.As(err, &own) {
		return own.StatusCode
	}
	return 0
}

var openaiChat = client{"go openai-go (chat)", func(model string) map[string]func() error {
	client := connectOpenAI(key)
	user := func(text string) []openai.ChatCompletionMessageParamUnion {
		return []openai.ChatCompletionMessageParamUnion{openai.UserMessage(text)}
	}
	create := func(body openai.ChatCompletionNewParams) (*openai.ChatCompletion, error) {
		body.Model = model
		return client.Chat.Completions.New(background, body)
	}
	textOf := func(answer *openai.ChatCompletion, err error) (string, error) {
		if err != nil {
			return "", err
		}
		return answer.Choices[0].Message.Content, nil
	}
	stream := func(text string) (*openai.ChatCompletion, error) {
		options := openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)}
		events := client.Chat.Completions.NewStreaming(background, openai.ChatCompletionNewParams{Model: model, Messages: user(text), StreamOptions: options})
		whole := openai.ChatCompletionAccumulator{}
		for events.Next() {
			whole.AddChunk(events.Current())
		}
		return &whole.ChatCompletion, events.Err()
	}
	return map[string]func() error{
		"models": func() error {
			page, err := client.Models.List(background)
			if err != nil {
				return err
			}
			var found []string
			for _, one := range page.Data {
				found = append(found, one.ID)
			}
			return hasModels(found, nil)
		},
		"chat": func() error {
			text, err := textOf(create(openai.ChatCompletionNewParams{Messages: user(askChat)}))
			return sameText(text, want.Text, err)
		},
		"stream": func() error {
			text, err := textOf(stream(askChat))
			return sameText(text, want.Text, err)
		},
		"usage": func() error {
			whole, err := create(openai.ChatCompletionNewParams{Messages: user(askChat)})
			if err != nil {
				return err
			}
			streamed, err := stream(askChat)
			if err != nil {
				return err
			}
			return errors.Join(sameUsage(whole.Usage.PromptTokens, whole.Usage.CompletionTokens), sameUsage(streamed.Usage.PromptTokens, streamed.Usage.CompletionTokens))
		},
		"tools": func() error {
			tools := []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{Name: "weather", Parameters: schema})}
			messages := user(askTools)
			first, err := create(openai.ChatCompletionNewParams{Messages: messages, Tools: tools})
			if err != nil {
				return err
			}
			asked := first.Choices[0].Message
			messages = append(messages, asked.ToParam())
			for _, call := range asked.ToolCalls {
				messages = append(messages, openai.ToolMessage(weather(call.Function.Arguments), call.ID))
			}
			text, err := textOf(create(openai.ChatCompletionNewParams{Messages: messages, Tools: tools}))
			return sameText(text, want.Forecast, err)
		},
		"schema": func() error {
			form := openai.ChatCompletionNewParamsResponseFormatUnion{OfJSONSchema: &shared.ResponseFormatJSONSchemaParam{
				JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: "city", Schema: schema, Strict: openai.Bool(true)},
			}}
			return isCity(textOf(create(openai.ChatCompletionNewParams{Messages: user(askSchema), ResponseFormat: form})))
		},
		"image": func() error {
			parts := []openai.ChatCompletionContentPartUnionParam{
				openai.TextContentPart(askImage),
				openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: "data:image/png;base64," + want.Pixel}),
			}
			text, err := textOf(create(openai.ChatCompletionNewParams{Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(parts)}}))
			return sameText(text, want.Picture, err)
		},
		"reasoning": func() error {
			first, err := create(openai.ChatCompletionNewParams{Messages: user(askThink), ReasoningEffort: shared.ReasoningEffortLow})
			if err != nil {
				return err
			}
			messages := append(user(askThink), first.Choices[0].Message.ToParam(), openai.UserMessage(askAgain))
			text, err := textOf(create(openai.ChatCompletionNewParams{Messages: messages, ReasoningEffort: shared.ReasoningEffortLow}))
			return sameText(text, want.Thoughts[1], err)
		},
		"errors": func() error {
			ask := func(text, model, key string) error {
				other := connectOpenAI(key)
				_, err := other.Chat.Completions.New(background, openai.ChatCompletionNewParams{Model: model, Messages: user(text)})
				return err
			}
			return hasErrors(model, ask, openaiStatus)
		},
		"embeddings": func() error {
			answer, err := client.Embeddings.New(background, openai.EmbeddingNewParams{Model: model, Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: []string{"one", "two"}}})
			if err != nil {
				return err
			}
			return same([2]int{len(answer.Data[0].Embedding), len(answer.Data[1].Embedding)}, [2]int{want.Dimensions, want.Dimensions})
		},
	}
}}

var openaiResponses = client{"go openai-go (responses)", func(model string) map[string]func() error {
	client := connectOpenAI(key)
	input := func(text string) responses.ResponseNewParamsInputUnion {
		return responses.ResponseNewParamsInputUnion{OfString: openai.String(text)}
	}
	items := func(list ...responses.ResponseInputItemUnionParam) responses.ResponseNewParamsInputUnion {
		return responses.ResponseNewParamsInputUnion{OfInputItemList: list}
	}
	create := func(body responses.ResponseNewParams) (*responses.Response, error) {
		body.Model = model
		return client.Responses.New(background, body)
	}
	textOf := func(answer *responses.Response, err error) (string, error) {
		if err != nil {
			return "", err
		}
		return answer.OutputText(), nil
	}
	stream := func(text string) (*responses.Response, error) {
		events := client.Responses.NewStreaming(background, responses.ResponseNewParams{Model: model, Input: input(text)})
		var whole *responses.Response
		for events.Next() {
			if event := events.Current(); event.Type == "response.completed" {
				whole = &event.Response
			}
		}
		if whole == nil && events.Err() == nil {
			return nil, errors.New("the stream did not complete")
		}
		return whole, events.Err()
	}
	return map[string]func() error{
		"models": openaiChat.cases(model)["models"],
		"chat": func() error {
			text, err := textOf(create(responses.ResponseNewParams{Input: input(askChat)}))
			return sameText(text, want.Text, err)
		},
		"stream": func() error {
			text, err := textOf(stream(askChat))
			return sameText(text, want.Text, err)
		},
		"usage": func() error {
			whole, err := create(responses.ResponseNewParams{Input: input(askChat)})
			if err != nil {
				return err
			}
			streamed, err := stream(askChat)
			if err != nil {
				return err
			}
			return errors.Join(sameUsage(whole.Usage.InputTokens, whole.Usage.OutputTokens), sameUsage(streamed.Usage.InputTokens, streamed.Usage.OutputTokens))
		},
		"tools": func() error {
			tools := []responses.ToolUnionParam{responses.ToolParamOfFunction("weather", schema, false)}
			first, err := create(responses.ResponseNewParams{Input: input(askTools), Tools: tools})
			if err != nil {
				return err
			}
			var results []responses.ResponseInputItemUnionParam
			for _, item := range first.Output {
				if call := item.AsFunctionCall(); item.Type == "function_call" {
					result := responses.ResponseInputItemParamOfFunctionCallOutput(weather(call.Arguments))
					result.OfFunctionCallOutput.CallID = openai.String(call.CallID)
					results = append(results, result)
				}
			}
			text, err := textOf(create(responses.ResponseNewParams{Input: items(results...), Tools: tools, PreviousResponseID: openai.String(first.ID)}))
			return sameText(text, want.Forecast, err)
		},
		"schema": func() error {
			form := responses.ResponseTextConfigParam{Format: responses.ResponseFormatTextConfigParamOfJSONSchema("city", schema)}
			return isCity(textOf(create(responses.ResponseNewParams{Input: input(askSchema), Text: form})))
		},
		"image": func() error {
			content := fmt.Sprintf(`[{"role":"user","content":[{"type":"input_text","text":%q},{"type":"input_image","detail":"auto","image_url":"data:image/png;base64,%s"}]}]`, askImage, want.Pixel)
			text, err := textOf(create(responses.ResponseNewParams{Input: param.Override[responses.ResponseNewParamsInputUnion](json.RawMessage(content))}))
			return sameText(text, want.Picture, err)
		},
		"reasoning": func() error {
			effort := shared.ReasoningParam{Effort: shared.ReasoningEffortLow, Summary: shared.ReasoningSummaryAuto}
			first, err := create(responses.ResponseNewParams{Input: input(askThink), Reasoning: effort})
			if err != nil {
				return err
			}
			thought := ""
			for _, item := range first.Output {
				for _, part := range item.Summary {
					thought += part.Text
				}
			}
			text, err := textOf(create(responses.ResponseNewParams{Input: input(askAgain), Reasoning: effort, PreviousResponseID: openai.String(first.ID)}))
			return errors.Join(same(thought, want.Reasoning), sameText(text, want.Thoughts[1], err))
		},
		"errors": func() error {
			ask := func(text, model, key string) error {
				other := connectOpenAI(key)
				_, err := other.Responses.New(background, responses.ResponseNewParams{Model: model, Input: input(text)})
				return err
			}
			return hasErrors(model, ask, openaiStatus)
		},
	}
}}
