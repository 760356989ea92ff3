# The image of the service: API, portal, employee's page, worker and commands. deploy/README.md says how to run it.

# The first stage needs npm only. The service runs on the Node of its npm package, here and everywhere else.
FROM node:24-bookworm-slim AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends libatomic1 \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY portal/package.json portal/
COPY my/package.json my/
COPY sdk/package.json sdk/
COPY scripts/require-libatomic scripts/require-libatomic
RUN npm ci
COPY . .
RUN npm run build
RUN npm prune --omit=dev --omit=optional && node_modules/.bin/node scripts/trim.ts

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends libatomic1 \
    && rm -rf /var/lib/apt/lists/*
RUN install -d -o 10001 -g 10001 -m 0700 /data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/docs docs
COPY --from=build /app/migrations migrations
COPY --from=build /app/portal/dist portal/dist
COPY --from=build /app/my/dist my/dist
COPY --from=build /app/sdk/package.tgz sdk/
COPY --from=build /app/src src
# The ports inside the container. /data holds documents, unless DOCUMENT_STORE names a bucket, and nothing else is written.
ENV PATH=/app/node_modules/.bin:/usr/local/bin:/usr/bin:/bin \
    ENVIRONMENT=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    METRICS_PORT=9090 \
    WORKER_METRICS_PORT=9090 \
    DATA_DIR=/data
USER 10001:10001
VOLUME /data
EXPOSE 3000 9090
# API and worker both answer on METRICS_PORT: change it together with WORKER_METRICS_PORT.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.METRICS_PORT + '/ready').then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/src/main.ts"]
CMD ["serve"]
