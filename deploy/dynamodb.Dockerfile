# The engine in place of amazon/dynamodb-local: port 8000, and the same arguments.
#     docker build -f deploy/dynamodb.Dockerfile -t gotgan-dynamodb .      (in the root of the checkout)
#     docker run -p 8000:8000 gotgan-dynamodb -jar DynamoDBLocal.jar -inMemory -sharedDb
FROM python:3.13-slim AS build
WORKDIR /build
COPY LICENSE pyproject.toml ./
COPY packages/dynamodb packages/dynamodb
COPY src/gotgan src/gotgan
RUN pip install --no-cache-dir --prefix=/install ./packages/dynamodb

FROM python:3.13-slim
COPY --from=build /install /usr/local
# The user and the folder of the other image: what its volumes and -dbPath ./data mean stays the same.
ARG user=dynamodblocal
RUN useradd --create-home --uid 1000 ${user}
WORKDIR /home/${user}
USER ${user}
EXPOSE 8000
# Other containers and the host come from other addresses than the loopback's.
ENTRYPOINT ["gotgan-dynamodb", "--host", "0.0.0.0"]
CMD ["-jar", "DynamoDBLocal.jar", "-inMemory"]
