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
RUN useradd --create-home --uid 1000 dynamodblocal
# Relative folders, such as that of -dbPath ./data, are where DynamoDB Local has them.
WORKDIR /home/dynamodblocal
USER dynamodblocal
EXPOSE 8000
# An image that anyone may reach: other containers come from other addresses.
ENTRYPOINT ["gotgan-dynamodb", "--host", "0.0.0.0"]
CMD ["-jar", "DynamoDBLocal.jar", "-inMemory"]
