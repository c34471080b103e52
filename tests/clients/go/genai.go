package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"

	"google.golang.org/genai"
)

func connectGoogle(key string) *genai.Client {
	client, err := genai.NewClient(background, &genai.ClientConfig{APIKey: key, Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: url}})
	if err != nil {
		panic(err)
	}
	return client
}

var googleGenai = client{"go google.golang.org/genai", func(model string) map[string]func() error {
	client := connectGoogle(key)
	user := func(parts ...*genai.Part) *genai.Content { return genai.NewContentFromParts(parts, genai.RoleUser) }
	say := func(text string) *genai.Content { return user(genai.NewPartFromText(text)) }
	create := func(config *genai.GenerateContentConfig, contents ...*genai.Content) (*genai.GenerateContentResponse, error) {
		return client.Models.GenerateContent(background, model, contents, config)
	}
	textOf := func(answer *genai.GenerateContentResponse, err error) (string, error) {
		if err != nil {
			return "", err
		}
		return answer.Text(), nil
	}
	stream := func(text string) (string, *genai.GenerateContentResponseUsageMetadata, error) {
		answered := ""
		var usage *genai.GenerateContentResponseUsageMetadata
		for chunk, err := range client.Models.GenerateContentStream(background, model, []*genai.Content{say(text)}, nil) {
			if err != nil {
				return "", nil, err
			}
			answered += chunk.Text()
			usage = chunk.UsageMetadata
		}
		return answered, usage, nil
	}
	return map[string]func() error{
		"models": func() error {
			var found []string
			for one, err := range client.Models.All(background) {
				if err != nil {
					return err
				}
				found = append(found, strings.TrimPrefix(one.Name, "models/"))
			}
			return hasModels(found, nil)
		},
		"chat": func() error {
			text, err := textOf(create(nil, say(askChat)))
			return sameText(text, want.Text, err)
		},
		"stream": func() error {
			text, _, err := stream(askChat)
			return sameText(text, want.Text, err)
		},
		"usage": func() error {
			whole, err := create(nil, say(askChat))
			if err != nil {
				return err
			}
			_, streamed, err := stream(askChat)
			if err != nil {
				return err
			}
			return errors.Join(
				sameUsage(int64(whole.UsageMetadata.PromptTokenCount), int64(whole.UsageMetadata.CandidatesTokenCount)),
				sameUsage(int64(streamed.PromptTokenCount), int64(streamed.CandidatesTokenCount)),
			)
		},
		"tools": func() error {
			function := &genai.FunctionDeclaration{Name: "weather", ParametersJsonSchema: schema}
			config := &genai.GenerateContentConfig{Tools: []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{function}}}}
			first, err := create(config, say(askTools))
			if err != nil {
				return err
			}
			var results []*genai.Part
			for _, call := range first.FunctionCalls() {
				input, _ := json.Marshal(call.Args)
				part := genai.NewPartFromFunctionResponse(call.Name, map[string]any{"result": weather(string(input))})
				part.FunctionResponse.ID = call.ID
				results = append(results, part)
			}
			text, err := textOf(create(config, say(askTools), first.Candidates[0].Content, user(results...)))
			return sameText(text, want.Forecast, err)
		},
		"schema": func() error {
			config := &genai.GenerateContentConfig{ResponseMIMEType: "application/json", ResponseJsonSchema: schema}
			return isCity(textOf(create(config, say(askSchema))))
		},
		"image": func() error {
			bytes, err := base64.StdEncoding.DecodeString(want.Pixel)
			if err != nil {
				return err
			}
			text, err := textOf(create(nil, user(genai.NewPartFromBytes(bytes, "image/png"), genai.NewPartFromText(askImage))))
			return sameText(text, want.Picture, err)
		},
		"reasoning": func() error {
			config := &genai.GenerateContentConfig{ThinkingConfig: &genai.ThinkingConfig{IncludeThoughts: true}}
			first, err := create(config, say(askThink))
			if err != nil {
				return err
			}
			thought := ""
			for _, part := range first.Candidates[0].Content.Parts {
				if part.Thought {
					thought += part.Text
				}
			}
			text, err := textOf(create(config, say(askThink), first.Candidates[0].Content, say(askAgain)))
			return errors.Join(same(thought, want.Reasoning), sameText(text, want.Thoughts[1], err))
		},
		"errors": func() error {
			ask := func(text, model, key string) error {
				_, err := connectGoogle(key).Models.GenerateContent(background, model, []*genai.Content{say(text)}, nil)
				return err
			}
			statusOf := func(err error) int {
				var own genai.APIError
				if errors.As(err, &own) {
					return own.Code
				}
				return 0
			}
			return hasErrors(model, ask, statusOf)
		},
		"embeddings": func() error {
			answer, err := client.Models.EmbedContent(background, model, []*genai.Content{say("one"), say("two")}, nil)
			if err != nil {
				return err
			}
			return same([2]int{len(answer.Embeddings[0].Values), len(answer.Embeddings[1].Values)}, [2]int{want.Dimensions, want.Dimensions})
		},
	}
}}
