package conform;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.json.schema.jackson3.DefaultJsonSchemaValidator;

/**
 * The line protocol of {@code conform validate}, answered by the Java MCP SDK's own validator class.
 *
 * <p>The SDK compiles a schema when a result arrives and turns every exception into an invalid result
 * ("Unexpected validation error: ..."), so what other libraries call a compile error is {@code valid: false}
 * here. {@code text} is what the client prints after "Tool call result validation failed: ". A
 * {@code compile_error} is a schema that the SDK's own mapper cannot read as an outputSchema (a Map); a client
 * loses the whole list to it. {@code thrown} is what escapes validate().
 */
public final class Oracle {
	private static final TypeRef<Map<String, Object>> OBJECT = new TypeRef<>() {
	};

	private static final McpJsonMapper MAPPER = McpJsonDefaults.getMapper();

	private Oracle() {
	}

	public static void main(String[] args) throws IOException {
		if (args.length != 1 || !args[0].equals("networknt-2020")) {
			System.err.println("usage: java conform.Oracle networknt-2020");
			System.exit(2);
		}
		// No reference is ever fetched: whatever tries, talks to a closed port of this machine.
		for (String scheme : List.of("http", "https")) {
			System.setProperty(scheme + ".proxyHost", "127.0.0.1");
			System.setProperty(scheme + ".proxyPort", "9");
		}
		PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8), 1 << 16);
		for (String line = in.readLine(); line != null; line = in.readLine()) {
			if (!line.isBlank()) {
				out.print(answer(line) + "\n");
				out.flush();
			}
		}
	}

	private static String answer(String line) {
		List<String> instances;
		String schemaText;
		try {
			Map<String, String> request = RawJson.members(line);
			schemaText = request.get("schema");
			instances = RawJson.elements(request.get("instances"));
		}
		catch (RuntimeException error) {
			return "{\"error\":" + quote(error.toString()) + "}";
		}
		Map<String, Object> schema;
		try {
			schema = MAPPER.readValue(schemaText, OBJECT);
		}
		catch (IOException | RuntimeException | StackOverflowError error) {
			return "{\"compile_error\":" + quote(String.valueOf(error.getMessage())) + "}";
		}
		DefaultJsonSchemaValidator validator = new DefaultJsonSchemaValidator();
		StringBuilder out = new StringBuilder("{\"results\":[");
		for (String instance : instances) {
			out.append(out.charAt(out.length() - 1) == '[' ? "" : ",").append(verdict(validator, schema, instance));
		}
		return out.append("]}").toString();
	}

	private static String verdict(DefaultJsonSchemaValidator validator, Map<String, Object> schema, String instance) {
		try {
			ValidationResponse response = validator.validate(schema, MAPPER.readValue(instance, Object.class));
			return response.valid() ? "{\"valid\":true}"
					: "{\"valid\":false,\"text\":" + quote(String.valueOf(response.errorMessage())) + "}";
		}
		catch (Exception | StackOverflowError error) {
			return "{\"thrown\":" + quote(error.toString()) + "}";
		}
	}

	private static String quote(String text) {
		StringBuilder out = new StringBuilder("\"");
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c == '"' || c == '\\') {
				out.append('\\').append(c);
			}
			else if (c < ' ' || Character.isSurrogate(c) || c == '\u2028' || c == '\u2029') {
				out.append(String.format("\\u%04x", (int) c));
			}
			else {
				out.append(c);
			}
		}
		return out.append('"').toString();
	}
}
