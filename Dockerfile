# The Floorcast server as an image. Its folder is an unpacked archive of the server: docs/operate/container.md

FROM node:24-bookworm-slim AS install
WORKDIR /opt/floorcast
COPY .commit LICENSE package.json package-lock.json ./
COPY apps apps
COPY packages packages
COPY tools tools
# A clone names no commit, and the sources of a release have no console that is built.
RUN { grep --quiet --extended-regexp '^[0-9a-f]{40}$' .commit && test -f apps/console/dist/index.html; } \
  || { echo 'Build the image in an unpacked archive of the server: docs/operate/container.md'; exit 1; }
RUN npm ci --omit=dev --no-audit --no-fund

FROM debian:bookworm-slim
# Packages of Debian to add, such as ffmpeg, which measures the loudness of videos.
ARG PACKAGES=
RUN test -z "$PACKAGES" \
  || { apt-get update && apt-get install --yes --no-install-recommends $PACKAGES && rm -r /var/lib/apt/lists/*; }
# A new volume takes over the owner of its folder.
RUN useradd --uid 10001 --user-group --home-dir /var/lib/floorcast --shell /usr/sbin/nologin floorcast-server \
  && install --directory --mode=700 --owner=10001 --group=10001 /var/lib/floorcast /var/lib/floorcast-key /backup
COPY --from=install /opt/floorcast /opt/floorcast
WORKDIR /opt/floorcast
ENV PATH=/opt/floorcast/node_modules/.bin:/usr/local/bin:/usr/bin:/bin
ENV NODE_ENV=production
# As in ops/systemd/floorcast.service: give the container twice that, or 4 GB with the embedded PostgreSQL.
ENV NODE_OPTIONS=--max-old-space-size=1024
ENV HOST=0.0.0.0
ENV PORT=8080
ENV DATA_DIR=/var/lib/floorcast
USER 10001:10001
VOLUME /var/lib/floorcast
EXPOSE 8080
# A full disk and a wrong clock are for alarms: a server that is taken away for them serves no device.
HEALTHCHECK --interval=15s --timeout=10s --start-period=5m CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready?allow=disk-full,clock-off`).then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/server/src/main.ts"]
