{{/* Templates use only what scripts/check-deploy/render-chart.ts understands: the checks run where Helm is not installed. */}}

{{- define "transit.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "transit.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "transit.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* What the pods of API, worker and migration share. */}}
{{- define "transit.pod" -}}
automountServiceAccountToken: false
{{- if .Values.serviceAccountName }}
serviceAccountName: {{ .Values.serviceAccountName }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- end }}

{{- define "transit.container" -}}
image: {{ include "transit.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop:
      - ALL
volumeMounts:
  - name: secrets
    mountPath: /run/secrets/transit
    readOnly: true
  - name: tmp
    mountPath: /tmp
  - name: data
    mountPath: /data
{{- end }}

{{- define "transit.env" -}}
- name: PUBLIC_URL
  value: {{ .Values.publicUrl | quote }}
- name: DATABASE_URL_FILE
  value: /run/secrets/transit/database-url
- name: SECRET_FILE
  value: /run/secrets/transit/secret
- name: METRICS_HOST
  value: "0.0.0.0"
- name: TRUST_PROXY
  value: {{ .Values.trustProxy | quote }}
{{- if .Values.documentStore }}
- name: DOCUMENT_STORE
  value: {{ .Values.documentStore | quote }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- if .Values.extraEnv }}
{{ toYaml .Values.extraEnv }}
{{- end }}
{{- end }}

{{/* The owner's URL is not mounted here: API and worker must not be able to change tables. */}}
{{- define "transit.volumes" -}}
- name: secrets
  secret:
    secretName: {{ .Values.existingSecret }}
    items:
      - key: database-url
        path: database-url
      - key: secret
        path: secret
- name: tmp
  emptyDir: {}
- name: data
{{- if .Values.documentsClaim }}
  persistentVolumeClaim:
    claimName: {{ .Values.documentsClaim }}
{{- else }}
  emptyDir: {}
{{- end }}
{{- end }}

{{/* /live fails only if the process no longer responds. /ready also fails while the database is away or the process stops. */}}
{{- define "transit.probes" -}}
startupProbe:
  httpGet:
    path: /live
    port: metrics
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet:
    path: /live
    port: metrics
  periodSeconds: 10
  timeoutSeconds: 3
  failureThreshold: 6
readinessProbe:
  httpGet:
    path: /ready
    port: metrics
  periodSeconds: 5
  timeoutSeconds: 3
{{- end }}
