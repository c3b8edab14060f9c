# The pages of the portal are built with the packages of development, which the service itself does not need.
FROM node:26-slim AS pages
WORKDIR /heatmark
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts && npm cache clean --force
COPY tsconfig.json ./
COPY src ./src
RUN node src/portalBuild/build.ts
# The commit that the image was made from, which the service says in its answers.
ARG COMMIT=
RUN echo "$COMMIT" > dist/commit

# The service alone: its stores and its identity provider are named by the environment.
FROM node:26-slim
WORKDIR /heatmark
ENV NODE_ENV=production HOST=0.0.0.0
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional && npm cache clean --force
COPY tsconfig.json ./
COPY src ./src
COPY examples/verify ./examples/verify
COPY --from=pages /heatmark/dist ./dist
COPY docker/healthcheck.ts ./docker/
# For the signing key: a volume that is mounted here belongs to the user of the service.
RUN mkdir /var/lib/heatmark && chown node /var/lib/heatmark
USER node
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s \
  CMD ["node", "docker/healthcheck.ts"]
# More room for short-lived objects: fewer collections at many commands a second, for about 50 MiB.
CMD ["node", "--max-semi-space-size=32", "src/main.ts"]
