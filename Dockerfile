# The service on the official Node image. Needs JWT_SECRET, and DATABASE_URL or a volume on /data.
FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image brings Node: the packages that carry it are left out.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/node-linux-* node_modules/node-win-* node_modules/.bin/node

FROM dependencies AS web
RUN npm ci --ignore-scripts
COPY vite.config.ts tsconfig.json ./
COPY build build
COPY packs packs
COPY src src
RUN npx vite build

FROM node:24-slim
# The time of the image in seconds, as that of the released one; BuildKit's rewrite-timestamp=true gives it to the files, too.
ARG SOURCE_DATE_EPOCH
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE ./
COPY bin bin
COPY packs packs
COPY src src
COPY --from=web /app/dist/web dist/web
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "bin/fahrplan.js", "serve"]
