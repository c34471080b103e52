package main

import (
	"errors"
	"io"

	compatible "github.com/sashabaranov/go-openai"
	"github.com/sashabaranov/go-openai/jsonschema"
)

func connectCompatible(key string) *compatible.Client {
	config := compatible.DefaultConfig(key)
	config.BaseURL = url + "/v1"
	return compatible.NewClientWithConfig(config)
}

func compatibleStatus(err error) int {
	var own *compatible.APIError
	if errors.As(err, &own) {
		return own.HTTPStatusCode
	}
	return 0
}

// The client for Chat Completions that other people wrote before OpenAI did.
var goOpenai = client{"go sashabaranov/go-openai", func(model string) map[string]func() error {
	client := connectCompatible(key)
	user := func(text string) compatible.ChatCompletionMessage {
		return compatible.ChatCompletionMessage{Role: compatible.ChatMessageRoleUser, Content: text}
	}
	create := func(body compatible.ChatCompletionRequest) (compatible.ChatCompletionMessage, error) {
		body.Model = model
		answer, err := client.CreateChatCompletion(background, body)
		if err != nil {
			return compatible.ChatCompletionMessage{}, err
		}
		return answer.Choices[0].Message, nil
	}
	textOf := func(answer compatible.ChatCompletionMessage, err error) (string, error) { return answer.Content, err }
	stream := func(text string) (string, *compatible.Usage, error) {
		events, err := client.CreateChatCompletionStream(background, compatible.ChatCompletionRequest{
			Model: model, Messages: []compatible.ChatCompletionMessage{user(text)}, StreamOptions: &compatible.StreamOptions{IncludeUsage: true},
		})
		if err != nil {
			return "", nil, err
		}
		defer events.Close()
		var whole string
		var usage *compatible.Usage
		for {
			chunk, err := events.Recv()
			if errors.Is(err, io.EOF) {
				return whole, usage, nil
			}
			if err != nil {
				return "", nil, err
			}
			for _, choice := range chunk.Choices {
				whole += choice.Delta.Content
			}
			if chunk.Usage != nil {
				usage = chunk.Usage
			}
		}
	}
	return map[string]func() error{
		"models": func() error {
			list, err := client.ListModels(background)
			var found []string
			for _, one := range list.Models {
				found = append(found, one.ID)
			}
			return hasModels(found, err)
		},
		"chat": func() error {
			text, err := textOf(create(compatible.ChatCompletionRequest{Messages: []compatible.ChatCompletionMessage{user(askChat)}}))
			return sameText(text, want.Text, err)
		},
		"stream": func() error {
			text, _, err := stream(askChat)
			return sameText(text, want.Text, err)
		},
		"usage": func() error {
			whole, err := client.CreateChatCompletion(background, compatible.ChatCompletionRequest{Model: model, Messages: []compatible.ChatCompletionMessage{user(askChat)}})
			if err != nil {
				return err
			}
			_, usage, err := stream(askChat)
			if err != nil || usage == nil {
				return errors.Join(err, same(usage != nil, true))
			}
			return errors.Join(
				sameUsage(int64(whole.Usage.PromptTokens), int64(whole.Usage.CompletionTokens)),
				sameUsage(int64(usage.PromptTokens), int64(usage.CompletionTokens)),
			)
		},
		"tools": func() error {
			tools := []compatible.Tool{{Type: compatible.ToolTypeFunction, Function: &compatible.FunctionDefinition{Name: "weather", Parameters: schema}}}
			messages := []compatible.ChatCompletionMessage{user(askTools)}
			asked, err := create(compatible.ChatCompletionRequest{Messages: messages, Tools: tools})
			if err != nil {
				return err
			}
			messages = append(messages, asked)
			for _, call := range asked.ToolCalls {
				result := compatible.ChatCompletionMessage{Role: compatible.ChatMessageRoleTool, ToolCallID: call.ID, Content: weather(call.Function.Arguments)}
				messages = append(messages, result)
			}
			text, err := textOf(create(compatible.ChatCompletionRequest{Messages: messages, Tools: tools}))
			return sameText(text, want.Forecast, err)
		},
		"schema": func() error {
			city := jsonschema.Definition{
				Type: jsonschema.Object, Properties: map[string]jsonschema.Definition{"city": {Type: jsonschema.String}},
				Required: []string{"city"}, AdditionalProperties: false,
			}
			format := &compatible.ChatCompletionResponseFormat{
				Type:       compatible.ChatCompletionResponseFormatTypeJSONSchema,
				JSONSchema: &compatible.ChatCompletionResponseFormatJSONSchema{Name: "city", Schema: &city, Strict: true},
			}
			return isCity(textOf(create(compatible.ChatCompletionRequest{Messages: []compatible.ChatCompletionMessage{user(askSchema)}, ResponseFormat: format})))
		},
		"image": func() error {
			parts := []compatible.ChatMessagePart{
				{Type: compatible.ChatMessagePartTypeText, Text: askImage},
				{Type: compatible.ChatMessagePartTypeImageURL, ImageURL: &compatible.ChatMessageImageURL{URL: "data:image/png;base64," + want.Pixel}},
			}
			asked := compatible.ChatCompletionMessage{Role: compatible.ChatMessageRoleUser, MultiContent: parts}
			text, err := textOf(create(compatible.ChatCompletionRequest{Messages: []compatible.ChatCompletionMessage{asked}}))
			return sameText(text, want.Picture, err)
		},
		"reasoning": func() error {
			messages := []compatible.ChatCompletionMessage{user(askThink)}
			first, err := create(compatible.ChatCompletionRequest{Messages: messages, ReasoningEffort: "low"})
			if err != nil {
				return err
			}
			text, err := textOf(create(compatible.ChatCompletionRequest{Messages: append(messages, first, user(askAgain)), ReasoningEffort: "low"}))
			return errors.Join(same(first.ReasoningContent, want.Reasoning), sameText(text, want.Thoughts[1], err))
		},
		"errors": func() error {
			return hasErrors(model, func(text, model, key string) error {
				_, err := connectCompatible(key).CreateChatCompletion(background, compatible.ChatCompletionRequest{
					Model: model, Messages: []compatible.ChatCompletionMessage{user(text)},
				})
				return err
			}, compatibleStatus)
		},
		"embeddings": func() error {
			answer, err := client.CreateEmbeddings(background, compatible.EmbeddingRequest{Model: compatible.EmbeddingModel(model), Input: []string{"one", "two"}})
			if err != nil {
				return err
			}
			lengths := [2]int{}
			for at, one := range answer.Data {
				lengths[at] = len(one.Embedding)
			}
			return same(lengths, [2]int{want.Dimensions, want.Dimensions})
		},
	}
}}
