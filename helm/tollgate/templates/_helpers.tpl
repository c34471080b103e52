{{- define "tollgate.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- /* Labels that select the pods of a part. Takes (dict "root" $ "part" "relay"). */ -}}
{{- define "tollgate.selector" -}}
app.kubernetes.io/name: tollgate
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "tollgate.labels" -}}
{{ include "tollgate.selector" . }}
app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "tollgate.image" -}}
{{ .root.Values.image.registry }}/{{ .part }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{- /* Pod-level settings that the restricted pod security standard asks for. */ -}}
{{- define "tollgate.podSecurity" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile: { type: RuntimeDefault }
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "tollgate.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- /* Variables from the Secret. Takes (dict "root" $ "names" (list …) ["optional" true]). */ -}}
{{- define "tollgate.secretEnv" -}}
{{- $ := . }}
{{- range .names }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $.root.Values.secretName }}, key: {{ . }}{{ if $.optional }}, optional: true{{ end }} } }
{{- end }}
{{- end }}

{{- /* Variables of every service: fixed ones, then the operator's. Takes (dict "root" $ "own" .Values.relay.env). */ -}}
{{- define "tollgate.env" -}}
{{- $name := include "tollgate.fullname" .root }}
{{- $own := list "control-plane:3001" "control-plane:3002" "worker:3004" "relay:3000" }}
- { name: SHARDS, value: {{ .root.Values.shards | quote }} }
- { name: TRUSTED_PROXIES, value: {{ join "," .root.Values.trustedProxies | quote }} }
- { name: METRICS_PORT, value: {{ .root.Values.metrics.port | quote }} }
- { name: METRICS_HOST, value: 0.0.0.0 }
- name: OWN_ADDRESSES
  value: '{{ range $own }}{{ $name }}-{{ . }},{{ end }}*:{{ .root.Values.metrics.port }}'
{{- range $key, $value := merge (dict) .own .root.Values.env }}
- { name: {{ $key }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- /* Pods of a part over zones and nodes. */ -}}
{{- define "tollgate.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: { matchLabels: {{ include "tollgate.selector" . | fromYaml | toJson }} }
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: { matchLabels: {{ include "tollgate.selector" . | fromYaml | toJson }} }
{{- end }}

{{- define "tollgate.placement" -}}
{{- with .nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with .tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- end }}

{{/* One slow answer of a store must not take every pod out of service at once. A pod that stops is taken out by its deletion. */}}
{{- define "tollgate.probes" -}}
startupProbe: { httpGet: { path: /healthz, port: health }, periodSeconds: 2, failureThreshold: 60 }
livenessProbe: { httpGet: { path: /healthz, port: health }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
readinessProbe: { httpGet: { path: /readyz, port: health }, periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 2 }
{{- end }}
